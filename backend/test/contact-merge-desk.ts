// A desk on which two contacts are made one, and two again.
import type { Contact } from '@balcao/contract'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'

export interface Refusal {
  error: string
  message: string
}

export interface Merged {
  merge: { id: number; until: string }
  contact: Contact
}

export async function startContactMergeDesk() {
  const server = await startDeskServer()
  const { db } = server
  const sql = db.$client
  const queue = await makeQueue(db, 'Financeiro')
  const shop = await makeConnection(db, 'Loja')
  const office = await makeConnection(db, 'Escritório')
  const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
  const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
  await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [] })
  await sql`update "user" set del_contact = true`
  await sql`update "user" set edit_contact = false where name = 'Estranho'`
  const bruna = await server.as('Bruna')
  const marina = await server.as('Marina')
  const stranger = await server.as('Estranho')
  let numbers = 5531998760000

  /** A person with a number, as a form makes one. */
  async function aCustomer(name: string, more: Record<string, unknown> = {}): Promise<number> {
    numbers += 1
    const { body } = await bruna.call<Contact>('POST', '/contacts', { name, number: String(numbers), ...more })
    return body.id
  }

  const merge = (into: number, from: number, person = bruna) =>
    person.call<Merged & Refusal>('POST', `/contacts/${into}/merge`, { contactId: from })
  const contact = async (id: number) => (await bruna.call<Contact>('GET', `/contacts/${id}`)).body

  return { db, sql, queue, shop, office, marinaId, brunaId, bruna, marina, stranger, aCustomer, merge, contact }
}
