// Comments call colleagues: whom they can call, who is told, and what is left where a right or a name goes.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Message, Notice, ResponseBody, UserBrief } from '@balcao/contract'
import { type PushBrowser, startPushService } from '@balcao/simulator/push/service'
import { buildNotices } from '../src/operations/notifications/from-events.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { LiveRow } from '../src/platform/live/reader.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { openNoticeLine } from './notice-line.ts'
import { waitUntil } from './until.ts'

const service = await startPushService()
const server = await startDeskServer({ PUSH_ORIGINS: service.url })
const { db } = server
const sql = getSql(db)
const NAMES = ['Marina Souza', 'Rafael Lima', 'Bruna', 'Bruna Dias', 'Carlos Mota'] as const
type Name = (typeof NAMES)[number]
const ids = new Map<Name, number>()
const people = new Map<Name, SignedInPerson>()
let finance = 0
let sales = 0
let whatsappId = 0
let ticketId = 0

beforeAll(async () => {
  finance = await makeQueue(db, 'Financeiro')
  sales = await makeQueue(db, 'Comercial')
  whatsappId = await makeConnection(db, 'Loja Centro')
  const team = [
    { name: 'Marina Souza', profile: 'admin' },
    { name: 'Rafael Lima', profile: 'gerente', queueIds: [finance] },
    { name: 'Bruna', profile: 'user', queueIds: [finance] },
    { name: 'Bruna Dias', profile: 'user', queueIds: [finance] },
    { name: 'Carlos Mota', profile: 'user', queueIds: [sales] },
  ] as const
  for (const person of team) {
    ids.set(person.name, await makePerson(db, person))
    people.set(person.name, await server.as(person.name))
  }
}, 60_000)

beforeEach(async () => {
  await setting('userShowAll', 'enabled')
  const contactId = await makeContact(db, 'Padaria Estrela')
  ticketId = await makeTicket(db, { contactId, whatsappId, queueId: finance, status: 'open', userId: idOf('Bruna') })
})

describe('a comment can call', () => {
  test('who may see the ticket: neither the owner, nor oneself, nor who serves other queues', async () => {
    expect(await colleagues('Bruna')).toEqual(['Bruna Dias', 'Marina Souza', 'Rafael Lima'])
    expect(await colleagues('Marina Souza')).toEqual(['Bruna', 'Bruna Dias', 'Rafael Lima'])
    await setting('userShowAll', 'disabled')
    expect(await colleagues('Rafael Lima')).toEqual(['Bruna', 'Marina Souza'])
  })

  test('nobody, for who may not see it', async () => {
    const refused = await person('Carlos Mota').call('GET', `/tickets/${ticketId}/colleagues`)
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })

  test('the longest name that stands there; a part of a word is no name', async () => {
    const { mentions } = await comment('Rafael Lima', 'veja @Bruna Dias, e brunas@Bruna.example')
    expect(mentions?.map(({ name }) => name)).toEqual(['Bruna Dias'])
  })

  test('nobody who may not see it, and nobody in a message to the customer', async () => {
    const [owner] = await sql<{ name: string }[]>`select name from "user" where id = 1`
    expect((await comment('Bruna', `@Carlos Mota e @${owner?.name}`)).mentions).toBeUndefined()
    const sent = await person('Bruna').call<Message>('POST', `/messages/${ticketId}`, {
      body: 'Fale com @Marina Souza',
    })
    expect(sent.body.mentions).toBeUndefined()
  })
})

describe('who is called', () => {
  test('is told on the live line, in the bell with the way to the comment, and not any more once it was seen', async () => {
    const line = await openNoticeLine(server.url, person('Marina Souza'))
    const { id } = await comment('Bruna', '@Marina Souza pode liberar?')
    await waitUntil('she is told', () => line.notices.some(notice => notice.messageId === id))
    const notice: Partial<Notice> = { about: 'ticket', id: ticketId, reason: 'mentioned', author: 'Bruna' }
    expect(line.notices.find(one => one.messageId === id)).toMatchObject({
      ...notice,
      text: '@Marina Souza pode liberar?',
    })
    const bell = await mentionsInBell('Marina Souza')
    expect(bell).toMatchObject({ count: 1, items: [{ messageId: id, ticketId, author: 'Bruna' }] })
    expect((await mentionsInBell('Rafael Lima')).count).toBe(0)
    await person('Marina Souza').call('POST', `/tickets/${ticketId}/mentions/seen`)
    await waitUntil('the other pages are told', () => line.events.includes('mention'))
    expect((await mentionsInBell('Marina Souza')).count).toBe(0)
    line.close()
  })

  test('is told on a device, without what was said', async () => {
    const device = await service.device()
    const { subscription } = device
    await person('Rafael Lima').call('POST', '/push/register', { subscription, userId: idOf('Rafael Lima') })
    const { id } = await comment('Bruna', '@Rafael Lima o CPF é 123')
    await waitUntil('it arrived', () => payloads(device).some(text => text.includes('mentioned')))
    const payload = JSON.parse(payloads(device).find(text => text.includes('mentioned')) ?? '{}')
    expect(payload).toMatchObject({ about: 'ticket', id: ticketId, messageId: id, reason: 'mentioned' })
    expect(payloads(device).join()).not.toContain('CPF')
  })

  test('is told once, whatever is changed in the words; of new names the new ones are told', async () => {
    const line = await openNoticeLine(server.url, person('Marina Souza'))
    const { id } = await comment('Bruna', '@Marina Souza veja')
    await waitUntil('she is told', () => line.notices.length === 1)
    const edited = await edit('Bruna', id, '@Marina Souza e @Rafael Lima vejam')
    expect(edited.mentions?.map(({ name }) => name)).toEqual(['Marina Souza', 'Rafael Lima'])
    const next = await comment('Bruna', '@Marina Souza e isto')
    await waitUntil('she is told of the next', () => line.notices.some(({ messageId }) => messageId === next.id))
    expect(line.notices.map(({ messageId }) => messageId)).toEqual([id, next.id])
    expect((await mentionsInBell('Rafael Lima')).items.map(({ messageId }) => messageId)).toContain(id)
    expect((await edit('Bruna', id, 'vejam')).mentions).toBeUndefined()
    line.close()
  })

  test('who may not see the ticket any more sees neither notice nor text, and sees both once it comes back', async () => {
    const { id } = await comment('Bruna', '@Bruna Dias segredo')
    const isTold = async () => (await mentionsInBell('Bruna Dias')).items.some(({ messageId }) => messageId === id)
    // Also by a process that reads late of what was said before.
    const isNoticed = async () => (await buildNoticesFor('Bruna Dias')).some(({ messageId }) => messageId === id)
    expect([await isTold(), await isNoticed()]).toEqual([true, true])
    await setting('userShowAll', 'disabled')
    expect(await mentionsInBell('Bruna Dias')).toEqual({ count: 0, items: [] })
    expect(await isNoticed()).toBe(false)
    expect((await person('Bruna Dias').call('GET', `/messages/${ticketId}`)).status).toBe(403)
    expect((await person('Bruna Dias').call('POST', `/tickets/${ticketId}/mentions/seen`)).status).toBe(403)
    await setting('userShowAll', 'enabled')
    expect([await isTold(), await isNoticed()]).toEqual([true, true])
  })

  test('a comment that was taken back calls nobody', async () => {
    const before = (await mentionsInBell('Rafael Lima')).count
    const { id } = await comment('Bruna', '@Rafael Lima veja')
    expect((await mentionsInBell('Rafael Lima')).count).toBe(before + 1)
    await person('Bruna').call('DELETE', `/messages/${id}`)
    expect((await mentionsInBell('Rafael Lima')).count).toBe(before)
  })
})

describe('a name', () => {
  test('that changes stands in the comment as it is now; who is gone stays readable and stays called', async () => {
    const { id } = await comment('Bruna', '@Bruna Dias e @Marina Souza')
    await sql`update "user" set name = 'Bruna Prado' where id = ${idOf('Bruna Dias')}`
    expect((await find('Bruna', id)).body).toBe('@Bruna Prado e @Marina Souza')
    await sql`update "user" set active = false where id = ${idOf('Bruna Dias')}`
    const shown = await find('Bruna', id)
    expect([shown.body, shown.mentions?.length]).toEqual(['@Bruna Prado e @Marina Souza', 2])
    const edited = await edit('Bruna', id, '@Bruna Prado e @Marina Souza, ontem')
    expect(edited.mentions?.length).toBe(2)
    await sql`update "user" set active = true, name = 'Bruna Dias' where id = ${idOf('Bruna Dias')}`
  })
})

function person(name: Name): SignedInPerson {
  const found = people.get(name)
  if (!found) throw new Error(name)
  return found
}

function idOf(name: Name): number {
  return ids.get(name) ?? 0
}

async function comment(by: Name, words: string): Promise<Message> {
  return (await person(by).call<Message>('POST', `/messages/${ticketId}`, { body: `-- ${words}` })).body
}

async function edit(by: Name, messageId: number, body: string): Promise<Message> {
  return (await person(by).call<Message>('PUT', `/messages/${ticketId}`, { messageId, body })).body
}

async function find(by: Name, messageId: number): Promise<Message> {
  const { body } = await person(by).call<ResponseBody<'GET /messages/:ticketId'>>('GET', `/messages/${ticketId}`)
  const found = body.messages.find(({ id }) => id === messageId)
  if (!found) throw new Error('It is not shown')
  return found
}

async function colleagues(by: Name): Promise<string[]> {
  const { body } = await person(by).call<UserBrief[]>('GET', `/tickets/${ticketId}/colleagues`)
  return body.map(({ name }) => name)
}

async function mentionsInBell(name: Name): Promise<ResponseBody<'GET /notifications'>['mentions']> {
  return (await person(name).call<ResponseBody<'GET /notifications'>>('GET', '/notifications')).body.mentions
}

/** Of all that has happened, as the settings are now. */
async function buildNoticesFor(name: Name): Promise<Notice[]> {
  const viewer = await findViewer(db, idOf(name))
  const rows = await sql<LiveRow[]>`select xid::text, id::float8 as id, audience, payload from live_event order by id`
  return (await buildNotices(db, rows, viewer ? [viewer] : [])).map(({ notice }) => notice)
}

function payloads(device: PushBrowser): string[] {
  return device.messages.map(({ text }) => text)
}

async function setting(key: string, value: string): Promise<void> {
  await person('Marina Souza').call('PUT', `/settings/${key}`, { value })
}
