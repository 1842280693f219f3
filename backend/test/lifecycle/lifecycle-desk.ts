// A desk of two queues and five people for the life of a ticket.
import { expect } from 'bun:test'
import type { Message, Ticket, TicketStatus } from '@balcao/contract'
import { type SignedInPerson, startDeskServer } from '../desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from '../desk-world.ts'

export const ids: Record<string, number> = {}

const people: Record<string, SignedInPerson> = {}

export function getPerson(name: string): SignedInPerson {
  const person = people[name]
  if (!person) throw new Error(`Nobody is called ${name}`)
  return person
}

export function put(name: string, id: number, body: object) {
  return getPerson(name).call<Ticket & { error?: string; details?: unknown }>('PUT', `/tickets/${id}`, body)
}

export async function fetchMessages(id: number): Promise<Message[]> {
  return (await getPerson('Marina').call<{ messages: Message[] }>('GET', `/messages/${id}`)).body.messages
}

export function listTexts(messages: readonly Message[]): string[] {
  return messages.filter(message => message.mediaType === 'chat').map(message => message.body)
}

export async function setting(key: string, value: string) {
  expect((await getPerson('Marina').call('PUT', `/settings/${key}`, { value })).status).toBe(200)
}

export async function startLifecycleDesk() {
  const server = await startDeskServer()
  const { db } = server
  const finance = await makeQueue(db, 'Financeiro')
  const sales = await makeQueue(db, 'Comercial')
  const shop = await makeConnection(db, 'Loja Centro')
  const official = await makeConnection(db, 'Oficial', 'cloud_api')
  const team = [
    ['Marina', 'admin', []],
    ['Rafael', 'gerente', [finance, sales]],
    ['Bruna', 'user', [finance]],
    ['Carlos', 'user', [finance, sales]],
    ['Solange', 'user', [sales]],
    ['Novato', 'user', []],
  ] as const
  for (const [name, profile, queueIds] of team) {
    ids[name] = await makePerson(db, { name, profile, queueIds: [...queueIds] })
    people[name] = await server.as(name)
  }

  async function ticketIn(status: TicketStatus, fields: { userId?: number | null; queueId?: number | null } = {}) {
    const contactId = await makeContact(db, 'Dona Lúcia')
    const { userId = status === 'pending' || status === 'bot' ? null : (ids.Bruna ?? 0), queueId = finance } = fields
    return makeTicket(db, { contactId, whatsappId: shop, status, queueId, userId })
  }

  return { server, db, finance, sales, shop, official, ticketIn }
}
