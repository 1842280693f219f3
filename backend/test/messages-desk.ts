// A desk with conversations of Bruna's and an AI, and the calls that write, forward and read them.
import { afterAll } from 'bun:test'
import type { Message } from '@balcao/contract'
import { type Ai, startAi } from '@balcao/simulator/ai/ai'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

/** The beginning of a voice note's file. */
export function ogg(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2000)
  bytes.set(Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead'))
  return bytes
}

export async function startMessagesDesk() {
  const ai: Ai = startAi()

  afterAll(() => ai.stop())
  const server = await startDeskServer(ai.env)
  const { db } = server
  const sql = db.$client
  const SECRET = new TextEncoder().encode('segredo')
  const finance = await makeQueue(db, 'Financeiro')
  const deliveries = await makeQueue(db, 'Entregas')
  const whatsappId = await makeConnection(db, 'Loja Centro')
  const officialId = await makeConnection(db, 'Oficial', 'cloud_api')
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const bruna = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
  await makePerson(db, { name: 'Rafael', profile: 'user', queueIds: [finance] })
  await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [deliveries] })
  const people = {
    marina: await server.as('Marina'),
    bruna: await server.as('Bruna'),
    rafael: await server.as('Rafael'),
    estranho: await server.as('Estranho'),
  }

  async function inService(name: string, connection = whatsappId, userId = bruna) {
    const contactId = await makeContact(db, name)
    const fields = { contactId, whatsappId: connection, status: 'open', queueId: finance, userId } as const
    return { contactId, ticketId: await makeTicket(db, fields) }
  }

  async function write(ticketId: number, body: string): Promise<Message> {
    const { status, body: message } = await people.bruna.call<Message>('POST', `/messages/${ticketId}`, { body })
    if (status !== 201) throw new Error(JSON.stringify(message))
    return message
  }

  async function stored(ticketId: number, id: number): Promise<Message | undefined> {
    const { body } = await people.marina.call<{ messages: Message[] }>('GET', `/messages/${ticketId}`)
    return body.messages.find(message => message.id === id)
  }

  return { ai, db, sql, SECRET, finance, whatsappId, officialId, bruna, people, inService, write, stored }
}
