// Bells, notices on the live line, and web push to a push service that opens what it gets: all by the same rule.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { PushPayload, ResponseBody, SettingKey } from '@balcao/contract'
import { type PushBrowser, startPushService } from '@balcao/simulator/push/service'
import webpush from 'web-push'
import { publishTicketEvents } from '../src/desk/tickets/present.ts'
import { deliverPush } from '../src/operations/push/deliver.ts'
import { sweepPages } from '../src/operations/push/open-pages.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { openNoticeLine } from './notice-line.ts'
import { waitUntil } from './until.ts'

const service = await startPushService()
const server = await startDeskServer({ PUSH_ORIGINS: service.url })
const { db, url } = server
const sql = getSql(db)
const NAMES = ['Marina', 'Rafael', 'Bruna', 'Carlos'] as const
type Name = (typeof NAMES)[number]
const ids = new Map<Name, number>()
const people = new Map<Name, SignedInPerson>()
const devices = new Map<Name, PushBrowser>()
let finance = 0
let sales = 0
let unstaffed = 0
let whatsappId = 0

beforeAll(async () => {
  finance = await makeQueue(db, 'Financeiro')
  sales = await makeQueue(db, 'Comercial')
  unstaffed = await makeQueue(db, 'Guardados')
  whatsappId = await makeConnection(db, 'Loja Centro')
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
}, 60_000)

beforeEach(async () => {
  for (const key of ['notificateAllTickets', 'notifyGroupToAllUsers', 'onlyAdminSeeEmptyQueue'] as const)
    await set(key, 'disabled')
})

describe('spec 1 §4 "Notifications": the bells', () => {
  test('hold what waits in the own queues, without a queue, or is one’s own and unread', async () => {
    const inQueue = await waiting({ queueId: finance })
    const nobodys = await waiting({ queueId: null })
    const own = await waiting({ queueId: finance, status: 'open', userId: idOf('Bruna'), unread: 2 })
    await waiting({ queueId: finance, status: 'open', userId: idOf('Bruna'), unread: 0 })
    const elsewhere = await waiting({ queueId: sales })
    const bruna = await bell('Bruna')
    expect(bruna.ids).toEqual([own, nobodys, inQueue])
    expect(bruna.count).toBe(3)
    expect((await bell('Rafael')).ids).toEqual([elsewhere, nobodys, inQueue])
    expect((await bell('Marina')).ids).toEqual([nobodys])
    expect(await countAlone('Bruna')).toBe(3)
  })

  test('take a changed setting at once', async () => {
    const parked = await waiting({ queueId: unstaffed })
    await set('notificateAllTickets', 'enabled')
    const all = (await bell('Marina')).ids
    expect(all.length).toBe(4)
    expect(all).not.toContain(parked)
    await set('onlyAdminSeeEmptyQueue', 'enabled')
    expect((await bell('Bruna')).count).toBe(2)
    expect((await bell('Marina')).count).toBe(4)
  })

  test('hold groups of one’s own, and all with notifyGroupToAllUsers', async () => {
    const group = await waiting({ queueId: finance, status: 'open', userId: idOf('Carlos'), unread: 1, isGroup: true })
    expect((await bell('Carlos')).ids).toContain(group)
    expect((await bell('Bruna')).ids).not.toContain(group)
    await set('notifyGroupToAllUsers', 'enabled')
    expect((await bell('Bruna')).ids).toContain(group)
  })

  test('hold the internal chats with something unread, counted by messages', async () => {
    const chatId = await chatWith('Rafael', 'Bruna')
    await say('Rafael', chatId, 'Bruna, vem cá')
    await say('Rafael', chatId, 'Rapidinho')
    const { chats } = await waits('Bruna')
    expect(chats).toMatchObject({ count: 2, items: [{ id: chatId, unreadMessages: 2, lastMessage: 'Rapidinho' }] })
    expect((await waits('Rafael')).chats.count).toBe(0)
    await call('Bruna', 'POST', `/chats/messages/read/${chatId}`)
    expect((await waits('Bruna')).chats).toEqual({ count: 0, items: [] })
  })
})

describe('spec 1 §4 "Notifications": the live line', () => {
  test('tells those who are to be told, and nobody else', async () => {
    const [bruna, rafael, marina] = await Promise.all([line('Bruna'), line('Rafael'), line('Marina')])
    const id = await waiting({ queueId: finance, unread: 1, text: 'Cadê meu boleto?' })
    await writes(id)
    for (const person of [bruna, rafael])
      expect(await person.until(id)).toMatchObject({ about: 'ticket', reason: 'message', text: 'Cadê meu boleto?' })
    const last = await waiting({ queueId: null, unread: 1 })
    await writes(last)
    await marina.until(last)
    expect(marina.notices.map(notice => notice.id)).not.toContain(id)
    for (const each of [bruna, rafael, marina]) each.close()
  })

  test('tells that a ticket was given to one, not what one did oneself', async () => {
    const [bruna, rafael] = await Promise.all([line('Bruna'), line('Rafael')])
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    await call('Rafael', 'PUT', `/tickets/${id}`, { queueId: finance, userId: idOf('Bruna') })
    expect((await bruna.until(id)).reason).toBe('assigned')
    await call('Bruna', 'PUT', `/tickets/${id}`, { status: 'pending' })
    expect((await rafael.until(id)).reason).toBe('arrived')
    expect(bruna.notices.filter(notice => notice.id === id)).toHaveLength(1)
    for (const each of [bruna, rafael]) each.close()
  })

  test('tells who gave it to one and why; it is unread, and stands in the bell', async () => {
    const bruna = await line('Bruna')
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    const transfer = { queueId: finance, userId: idOf('Bruna'), transferMessage: 'Quer a segunda via' }
    await call('Rafael', 'PUT', `/tickets/${id}`, transfer)
    expect(await bruna.until(id)).toMatchObject({ reason: 'assigned', author: 'Rafael', text: 'Quer a segunda via' })
    expect((await bell('Bruna')).items.find(ticket => ticket.id === id)).toMatchObject({ unreadMessages: 1 })
    bruna.close()
  })

  test('decisions §5 userCron: who gets what waited too long is told as of a transfer, and of nobody’s doing', async () => {
    const bruna = await line('Bruna')
    await set('userCron', String(idOf('Bruna')))
    const id = await waiting({ queueId: finance })
    await sql`update ticket_span set begun_at = now() - interval '1 hour' where ticket_id = ${id}`
    await sql`select graphile_worker.add_job('give-idle')`
    await waitUntil('she is told', () => bruna.notices.some(one => one.id === id && one.reason === 'assigned'))
    expect(bruna.notices.find(one => one.id === id && one.reason === 'assigned')).toMatchObject({ author: null })
    expect((await bell('Bruna')).items.find(ticket => ticket.id === id)).toMatchObject({
      status: 'open',
      unreadMessages: 1,
    })
    await set('userCron', '')
    bruna.close()
  })

  test('a ticket one gives oneself is not unread', async () => {
    const id = await waiting({ queueId: finance, status: 'open', userId: idOf('Rafael') })
    await call('Rafael', 'PUT', `/tickets/${id}`, { queueId: sales, userId: idOf('Rafael') })
    expect((await bell('Rafael')).ids).not.toContain(id)
  })

  test('tells of internal messages those in the chat but for who wrote', async () => {
    const [bruna, rafael, marina] = await Promise.all([line('Bruna'), line('Rafael'), line('Marina')])
    const chatId = await chatWith('Rafael', 'Bruna')
    await say('Rafael', chatId, 'Pode liberar')
    expect(await bruna.until(chatId, 'chat')).toMatchObject({ name: 'Rafael', author: null, text: 'Pode liberar' })
    const ticket = await waiting({ queueId: null, unread: 1 })
    await writes(ticket)
    await Promise.all([rafael.until(ticket), marina.until(ticket)])
    for (const each of [rafael, marina]) expect(each.notices.filter(notice => notice.about === 'chat')).toEqual([])
    for (const each of [bruna, rafael, marina]) each.close()
  })
})

describe('spec 1 §4 "Notifications": web push', () => {
  test('goes to every device of who is to be told, once, without what was said', async () => {
    const second = await service.device()
    await register(person('Bruna'), second, 'es')
    const id = await waiting({ queueId: finance, unread: 2, text: 'Meu CPF é 123' })
    await writes(id)
    for (const device of [deviceOf('Bruna'), second])
      await waitUntil('it arrived', () => payloadsOf(device, id).length > 0)
    expect(payloadsOf(second, id)).toEqual([
      { about: 'ticket', id, reason: 'message', name: 'Cliente', unread: 2, language: 'es' },
    ])
    const message = deviceOf('Bruna').messages.findLast(({ topic }) => topic === `ticket-${id}`)
    expect(message?.text).not.toContain('CPF')
    expect(message).toMatchObject({ urgency: 'high', sender: { aud: service.url } })
    await waitUntil('the manager’s too', () => payloadsOf(deviceOf('Rafael'), id).length > 0)
    expect(payloadsOf(deviceOf('Marina'), id)).toEqual([])
    await person('Bruna').call('POST', '/push/unregister', { key: second.subscription.endpoint })
  })

  test('does not go to who sees the desk, and goes again once the tab is hidden', async () => {
    const tab = await line('Bruna')
    tab.send({ type: 'page', visible: true })
    await waitUntil('it is known', async () => (await sql`select 1 from open_page`).length === 1)
    const seen = await waiting({ queueId: finance, unread: 1 })
    await writes(seen)
    await tab.until(seen)
    await waitUntil('Carlos was told', () => payloadsOf(deviceOf('Carlos'), seen).length > 0)
    expect(payloadsOf(deviceOf('Bruna'), seen)).toEqual([])
    tab.send({ type: 'page', visible: false })
    await waitUntil('it is hidden', async () => (await sql`select 1 from open_page`).length === 0)
    await writes(seen)
    await waitUntil('she is told', () => payloadsOf(deviceOf('Bruna'), seen).length === 1)
    tab.close()
  })

  test('a device that is gone is forgotten, one whose service is busy is tried again', async () => {
    const gone = await service.device()
    const busy = await service.device()
    await register(person('Bruna'), gone)
    await register(person('Bruna'), busy)
    gone.refuse(410)
    busy.refuse(429, 2)
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the busy one got it', () => payloadsOf(busy, id).length === 1)
    expect(busy.requests).toBe(3)
    await waitUntil('the other is forgotten', async () => (await known(gone)) === 0)
    expect(await known(busy)).toBe(1)
    await person('Bruna').call('POST', '/push/unregister', {
      userId: idOf('Bruna'),
      key: busy.subscription.keys.p256dh,
    })
    expect(await known(busy)).toBe(0)
  })

  test('tells of an internal message with the colleague’s name, and nothing after it was read', async () => {
    const chatId = await chatWith('Rafael', 'Carlos')
    await say('Rafael', chatId, 'Segredo da casa')
    await waitUntil('it arrived', () => chatPayloads('Carlos', chatId).length === 1)
    expect(chatPayloads('Carlos', chatId)[0]).toMatchObject({ about: 'chat', name: 'Rafael', unread: 1 })
    expect(
      deviceOf('Carlos')
        .messages.map(message => message.text)
        .join(),
    ).not.toContain('Segredo')
    expect(chatPayloads('Rafael', chatId)).toEqual([])
  })

  test('ends with the session of one device, and goes on to the others of the same person', async () => {
    const [ended, second] = [await service.device(), await server.as('Bruna')]
    await register(second, ended)
    await second.call('DELETE', '/auth/logout')
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the other device was told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
    expect([await known(ended), payloadsOf(ended, id)]).toEqual([1, []])
    await sweepPages(db)
    expect(await known(ended)).toBe(0)
  })

  test('goes to nobody out of hours, and on when the hours are back', async () => {
    const setDays = (works: boolean) =>
      sql`update "user" set weekdays = ${works}, saturday = ${works}, sunday = ${works} where name = 'Bruna'`
    await setDays(false)
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the manager was told', () => payloadsOf(deviceOf('Rafael'), id).length > 0)
    expect(payloadsOf(deviceOf('Bruna'), id)).toEqual([])
    await setDays(true)
    await writes(id)
    await waitUntil('she is told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
  })

  test('ends with the session that registered the device', async () => {
    await person('Carlos').call('DELETE', '/auth/logout')
    const id = await waiting({ queueId: finance, unread: 1 })
    await writes(id)
    await waitUntil('the others were told', () => payloadsOf(deviceOf('Bruna'), id).length > 0)
    expect(payloadsOf(deviceOf('Carlos'), id)).toEqual([])
    await sweepPages(db)
    expect([await known(deviceOf('Carlos')), await known(deviceOf('Bruna'))]).toEqual([0, 1])
  })
})

describe('spec 1 §7: the calls of web push', () => {
  test('give the public key, the same to everybody', async () => {
    const { body } = await person('Bruna').call<{ publicKey: string }>('GET', '/push/public_key')
    expect(Buffer.from(body.publicKey, 'base64url')).toHaveLength(65)
    expect((await person('Marina').call('GET', '/push/public_key')).body).toEqual(body)
  })

  test('register and unregister nobody else’s device', async () => {
    const device = await service.device()
    const { subscription } = device
    const other = await person('Bruna').call('POST', '/push/register', { subscription, userId: idOf('Marina') })
    expect([other.status, other.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    const { endpoint } = deviceOf('Marina').subscription
    await person('Bruna').call('POST', '/push/unregister', { key: endpoint })
    expect(await known(deviceOf('Marina'))).toBe(1)
  })

  test('take no address inside the network and no broken key', async () => {
    const { keys } = (await service.device()).subscription
    const good = 'https://push.example.com/send/1'
    const wrong = [
      { endpoint: 'http://push.example.com/1', keys },
      { endpoint: 'https://127.0.0.1/1', keys },
      { endpoint: 'https://[::1]/1', keys },
      { endpoint: 'https://localhost/1', keys },
      { endpoint: 'https://metadata.internal/1', keys },
      { endpoint: good, keys: { ...keys, p256dh: 'abc' } },
      { endpoint: good, keys: { ...keys, auth: '' } },
    ]
    for (const subscription of wrong)
      expect((await person('Bruna').call('POST', '/push/register', { subscription })).status).toBe(422)
  })

  test('call no address inside the network either that a good name leads to, and do not try it again', async () => {
    const { keys } = (await service.device()).subscription
    const push = { ...webpush.generateVAPIDKeys(), subject: 'mailto:dono@saojose.example', origins: [] }
    const device = { endpoint: `https://push.example.com:${new URL(service.url).port}/1`, ...keys }
    const payload = { about: 'ticket', id: 1, reason: 'message', name: 'Cliente', unread: 1, language: 'pt' } as const
    let requests = 0
    const leads = async () => {
      requests++
      return ['127.0.0.1']
    }
    expect(await deliverPush(push, device, payload, leads)).toEqual({ outcome: 'failed', reason: 'private' })
    expect(requests).toBe(1)
  })
})

async function waits(name: Name) {
  return (await person(name).call<ResponseBody<'GET /notifications'>>('GET', '/notifications')).body
}

async function bell(name: Name) {
  const { tickets } = await waits(name)
  return { count: tickets.count, ids: tickets.items.map(ticket => ticket.id), items: tickets.items }
}

async function countAlone(name: Name) {
  const { body } = await person(name).call<ResponseBody<'GET /notifications'>>('GET', '/notifications?limit=0')
  expect(body.tickets.items).toEqual([])
  return body.tickets.count
}

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

async function known({ subscription }: PushBrowser): Promise<number> {
  return (await sql`select 1 from push_subscription where endpoint = ${subscription.endpoint}`).length
}

function payloadsOf(device: PushBrowser, ticketId: number): PushPayload[] {
  const all = device.messages.map((message): PushPayload => JSON.parse(message.text))
  return all.filter(payload => payload.about === 'ticket' && payload.id === ticketId)
}

function chatPayloads(name: Name, chatId: number): PushPayload[] {
  const all = deviceOf(name).messages.map((message): PushPayload => JSON.parse(message.text))
  return all.filter(payload => payload.about === 'chat' && payload.id === chatId)
}

function line(name: Name) {
  return openNoticeLine(url, person(name))
}

function person(name: Name): SignedInPerson {
  const one = people.get(name)
  if (!one) throw new Error(`nobody called ${name}`)
  return one
}
function deviceOf(name: Name): PushBrowser {
  const one = devices.get(name)
  if (!one) throw new Error(`no device of ${name}`)
  return one
}
function idOf(name: Name): number {
  return ids.get(name) ?? 0
}
