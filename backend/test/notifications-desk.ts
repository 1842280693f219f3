// A desk of three queues and four people, each with a device at a push service.
import { beforeEach, expect } from 'bun:test'
import type { SettingKey } from '@balcao/contract'
import { type PushBrowser, startPushService } from '@balcao/simulator/push/service'
import { publishTicketEvents } from '../src/desk/tickets/present.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { openNoticeLine } from './notice-line.ts'

export type Name = (typeof NAMES)[number]

const NAMES = ['Marina', 'Rafael', 'Bruna', 'Carlos'] as const

export async function startNotificationsDesk() {
  const service = await startPushService()
  const server = await startDeskServer({ PUSH_ORIGINS: service.url })
  const { db, url } = server
  const sql = getSql(db)
  const ids = new Map<Name, number>()
  const people = new Map<Name, SignedInPerson>()
  const devices = new Map<Name, PushBrowser>()
  const finance = await makeQueue(db, 'Financeiro')
  const sales = await makeQueue(db, 'Comercial')
  const unstaffed = await makeQueue(db, 'Guardados')
  const whatsappId = await makeConnection(db, 'Loja Centro')
  ids.set('Marina', await makePerson(db, { name: 'Marina', profile: 'admin' }))
  ids.set('Rafael', await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [finance, sales] }))
  ids.set('Bruna', await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] }))
  ids.set('Carlos', await makePerson(db, { name: 'Carlos', profile: 'user', queueIds: [finance] }))
  for (const name of NAMES) {
    const person = await server.as(name)
    const device = await service.device()
    people.set(name, person)
    devices.set(name, device)
    expect((await register(person, device)).status).toBe(204)
  }

  beforeEach(async () => {
    for (const key of ['notificateAllTickets', 'notifyGroupToAllUsers', 'onlyAdminSeeEmptyQueue'] as const)
      await set(key, 'disabled')
  })

  async function waiting(fields: {
    queueId: number | null
    status?: 'pending' | 'open'
    userId?: number
    unread?: number
    isGroup?: boolean
    text?: string
  }): Promise<number> {
    const { text = 'Oi', status = 'pending', ...rest } = fields
    const contactId = await makeContact(db, 'Cliente', fields.isGroup)
    const id = await makeTicket(db, { contactId, whatsappId, status, ...rest })
    await sql`update ticket set last_message = ${text}, last_message_at = clock_timestamp() where id = ${id}`
    return id
  }

  /** The live event of a customer's message, as the inbox appends it. */
  async function writes(ticketId: number): Promise<void> {
    await db.transaction(tx => publishTicketEvents(tx, [{ ticketId, action: 'updateUnread' }]))
  }

  async function set(key: SettingKey, value: string): Promise<void> {
    await person('Marina').call('PUT', `/settings/${key}`, { value })
  }

  async function chatWith(from: Name, to: Name): Promise<number> {
    const { body } = await call<{ id: number }>(from, 'POST', '/chats', { userId: idOf(from), callingUserId: idOf(to) })
    return body.id
  }

  async function say(name: Name, chatId: number, body: string): Promise<void> {
    expect((await call(name, 'POST', `/chats/messages/${chatId}`, { body })).status).toBe(201)
  }

  function call<T = Record<string, unknown>>(name: Name, method: string, path: string, body?: object) {
    return person(name).call<T>(method, path, body)
  }

  function register(person: SignedInPerson, { subscription }: PushBrowser, language?: string) {
    return person.call('POST', '/push/register', { subscription, ...(language ? { language } : {}) })
  }

  function line(name: Name) {
    return openNoticeLine(url, person(name))
  }

  function person(name: Name): SignedInPerson {
    const one = people.get(name)
    if (!one) throw new Error(`nobody called ${name}`)
    return one
  }

  function idOf(name: Name): number {
    return ids.get(name) ?? 0
  }

  return {
    service,
    server,
    db,
    sql,
    devices,
    finance,
    sales,
    unstaffed,
    waiting,
    writes,
    set,
    chatWith,
    say,
    call,
    register,
    line,
    person,
    idOf,
  }
}
