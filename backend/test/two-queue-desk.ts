// A desk of two queues with somebody of each profile: Marina (admin), Rafael (manager) and Bruna of Financeiro, Solange of Comercial.
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

export async function startTwoQueueDesk() {
  const server = await startDeskServer()
  const { db } = server
  const people = new Map<string, { readonly id: number; readonly session: SignedInPerson }>()
  const finance = await makeQueue(db, 'Financeiro')
  const sales = await makeQueue(db, 'Comercial')
  const shop = await makeConnection(db, 'Loja Centro')
  for (const [name, profile, queueIds] of [
    ['Marina', 'admin', []],
    ['Rafael', 'gerente', [finance]],
    ['Bruna', 'user', [finance]],
    ['Solange', 'user', [sales]],
  ] as const) {
    const id = await makePerson(db, { name, profile, queueIds: [...queueIds] })
    people.set(name, { id, session: await server.as(name) })
  }

  function find(name: string) {
    const person = people.get(name)
    if (!person) throw new Error(`Nobody is called ${name}`)
    return person
  }

  const findId = (name: string) => find(name).id
  return {
    ...{ server, db, sql: getSql(db), finance, sales, shop, findId },
    findSession: (name: string) => find(name).session,
    /** Of Financeiro; Bruna's unless somebody else is named. */
    async openTicket(userId: number | null = findId('Bruna')): Promise<number> {
      const contactId = await makeContact(db, 'Dona Lúcia')
      return makeTicket(db, { contactId, whatsappId: shop, status: 'open', queueId: finance, userId })
    },
  }
}
