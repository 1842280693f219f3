// What somebody may quote and is shown as quoted: only what stands in the conversation as that person is shown it.
import { beforeAll, describe, expect, test } from 'bun:test'
import { isInSameHistory, type Message, type VisibilitySettings } from '@balcao/contract'
import { resolveConversation } from '../src/desk/messages/conversation.ts'
import { loadMessagePage } from '../src/desk/messages/page.ts'
import { publishMessageEvents } from '../src/desk/messages/present.ts'
import { type Cursor, formatCursor } from '../src/platform/live/cursor.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import { type LiveRow, readAfter } from '../src/platform/live/reader.ts'
import { loadTicketPlaces } from '../src/policy/access/ticket-facts.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeSession,
  makeTicket,
} from './desk-world.ts'
import { createSeededRandom } from './seeded-random.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client
const SECRET = 'o exame deu positivo'

let [finance, deliveries, shop, branch] = [0, 0, 0, 0]
let [brunaId, rafaelId] = [0, 0]
let bruna: SignedInPerson
let marina: SignedInPerson

beforeAll(async () => {
  finance = await makeQueue(db, 'Financeiro')
  deliveries = await makeQueue(db, 'Entregas')
  shop = await makeConnection(db, 'Loja Centro')
  branch = await makeConnection(db, 'Filial')
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [finance] })
  rafaelId = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [finance, deliveries] })
  bruna = await server.as('Bruna')
  marina = await server.as('Marina')
})

describe('a message of a hidden ticket', () => {
  test('is quoted by nobody who is not shown it: refused as if it did not exist', async () => {
    const { own, secret } = await twoTickets()
    const refused = await bruna.call('POST', `/messages/${own}`, { body: 'oi', quotedMsg: { id: secret } })
    const unknown = await bruna.call('POST', `/messages/${own}`, { body: 'oi', quotedMsg: { id: 99_999_999 } })
    expect([refused.status, refused.body]).toEqual([404, unknown.body])
    const allowed = await marina.call<Message>('POST', `/messages/${own}`, { body: 'oi', quotedMsg: { id: secret } })
    expect([allowed.status, allowed.body.quotedMsg?.body]).toEqual([201, SECRET])
  })

  test('is to every call that names a message as if it did not exist', async () => {
    const { own, secret } = await twoTickets()
    const calls = (id: number) => [
      bruna.call('PUT', `/messages/${own}`, { messageId: id, body: 'x' }),
      bruna.call('DELETE', `/messages/${id}`),
      bruna.call('POST', `/messages/retry/${id}`),
      bruna.call('POST', `/messages/react/${id}`, { emoji: '👍' }),
      bruna.call('POST', `/messages/forward/${id}`, { contacts: [1] }),
      bruna.call('POST', `/messages/download/${id}`),
      bruna.call('POST', `/messages/transcribe/${id}`),
      bruna.call('GET', `/messages/info/${id}`),
      bruna.call('GET', `/messages/${own}?around=${id}`),
    ]
    const readAnswers = async (id: number) => (await Promise.all(calls(id))).map(({ status, body }) => [status, body])
    const unknown = await readAnswers(99_999_999)
    expect(await readAnswers(secret)).toEqual(unknown)
    expect(new Set(unknown.map(([status]) => status))).toEqual(new Set([404]))
  })

  test('comes along with what quotes it only to who is shown both, on pages, in search, as an answer and live', async () => {
    const { own, secret } = await twoTickets()
    const { quoting, frames } = await quoted(own, secret)
    for (const call of [
      bruna.call('GET', `/messages/${own}`),
      bruna.call('GET', `/messages/search/${own}?messageToSearch=sobre`),
      bruna.call('GET', `/messages/info/${quoting}`),
      bruna.call('POST', `/messages/transcribe/${quoting}`),
    ])
      expect(JSON.stringify((await call).body)).not.toContain(SECRET)
    expect(await frames(brunaId)).toContain('"quotedMsg":null')
    expect(await frames(brunaId)).not.toContain(SECRET)
    expect(await frames(rafaelId)).toContain(SECRET)
    expect(JSON.stringify((await marina.call('GET', `/messages/${own}`)).body)).toContain(SECRET)
  })
})

describe('onlyTicketMsg, historyByQueue, historyByUser, historyByConnection: what the history leaves out, for quotes, too', () => {
  const cases = [
    { key: 'onlyTicketMsg', other: () => ({}) },
    { key: 'historyByQueue', other: () => ({ queueId: deliveries }) },
    { key: 'historyByUser', other: () => ({ userId: null }) },
    { key: 'historyByConnection', other: () => ({ whatsappId: branch }) },
  ] as const
  for (const { key, other } of cases) {
    test(`${key}: what the conversation leaves out is neither quoted nor shown as quoted`, async () => {
      await sql`insert into user_queue (user_id, queue_id) values (${brunaId}, ${deliveries}) on conflict do nothing`
      const { own, secret } = await twoTickets({ queueId: finance, userId: brunaId, ...other() })
      const quote = () => bruna.call('POST', `/messages/${own}`, { body: 'oi', quotedMsg: { id: secret } })
      expect((await quote()).status).toBe(201)
      await sql`insert into setting (key, value) values (${key}, 'enabled')`
      try {
        clearSettingsCache(db)
        expect((await quote()).status).toBe(404)
        const { frames } = await quoted(own, secret)
        expect(JSON.stringify((await bruna.call('GET', `/messages/${own}`)).body)).not.toContain(SECRET)
        expect(await frames(brunaId, { [key]: true })).not.toContain(SECRET)
      } finally {
        await sql`delete from setting where key = ${key}`
        await sql`delete from user_queue where user_id = ${brunaId} and queue_id = ${deliveries}`
        clearSettingsCache(db)
      }
    })
  }
})

test('the conversation of the contract and its twin in SQL agree over random worlds, in pages and in events', async () => {
  const { pick } = createSeededRandom(20_261_122)
  const contacts = [await makeContact(db, 'Dona Lúcia'), await makeContact(db, 'Seu Zé')] as const
  const tickets: number[] = []
  for (let n = 0; n < 14; n++)
    tickets.push(
      await makeTicket(db, {
        contactId: pick(contacts),
        whatsappId: pick([shop, branch]),
        status: 'closed',
        queueId: pick([finance, deliveries, null]),
        userId: pick([brunaId, rafaelId, null]),
      }),
    )
  const messageIds = new Map<number, number>()
  for (const id of tickets) messageIds.set(id, await makeMessage(db, id, `dito em ${id}`))
  const quotes = tickets.map(id => ({ id, from: pick(tickets) }))
  const from = await position()
  for (const { id, from: other } of quotes) {
    const quoting = await makeMessage(db, id, 'sobre isto')
    await sql`update message set quoted_id = ${messageIds.get(other) ?? 0} where id = ${quoting}`
    await db.transaction(tx => publishMessageEvents(tx, [quoting], 'create'))
  }
  const rows = await toldSince(from, quotes.length)
  const places = await loadTicketPlaces(db, tickets)
  for (let bits = 0; bits < 32; bits += 3) {
    const settings = settingsOf(bits)
    for (const person of [brunaId, rafaelId]) {
      const session = await makeSession(db, person, settings)
      const sent = eventsIn(buildFrame(rows, session.viewer, settings, formatCursor(from, '')))
      for (const { id } of quotes) {
        const here = places.get(id)
        const conversation = await resolveConversation(db, session, id).catch(() => null)
        if (!conversation || !here) continue
        const shown = tickets.filter(other => {
          const there = places.get(other)
          return there && isInSameHistory(session.viewer, here, there, settings)
        })
        expect(conversation.ticketIds.toSorted((a, b) => a - b)).toEqual(shown)
        const page = await loadMessagePage(db, session, id, { limit: 200 })
        for (const message of page.messages.filter(each => each.body === 'sobre isto' && each.ticketId === id))
          expect(sent.get(message.id)).toEqual(message.quotedMsg?.body ?? null)
      }
    }
  }
})

/** A ticket of Bruna's, and one of the same contact with a secret in it, hidden from her unless said otherwise. */
async function twoTickets(other: { queueId?: number; userId?: number | null; whatsappId?: number } = {}) {
  const contactId = await makeContact(db, 'Padaria Estrela')
  const hidden = { contactId, whatsappId: shop, status: 'closed', queueId: deliveries, ...other } as const
  const secret = await makeMessage(db, await makeTicket(db, hidden), SECRET)
  const own = await makeTicket(db, { contactId, whatsappId: shop, status: 'open', queueId: finance, userId: brunaId })
  return { own, secret }
}

/** The customer answers the secret in Bruna's ticket; gives what somebody's live line then carries. */
async function quoted(own: number, secret: number) {
  const from = await position()
  const quoting = await makeMessage(db, own, 'sobre aquele assunto')
  await sql`update message set quoted_id = ${secret}, media_type = 'audio' where id = ${quoting}`
  await db.transaction(tx => publishMessageEvents(tx, [quoting], 'create'))
  const rows = await toldSince(from, 1)
  return {
    quoting,
    async frames(person: number, settings: Partial<VisibilitySettings> = {}): Promise<string> {
      const session = await makeSession(db, person, settings)
      return buildFrame(rows, session.viewer, session.settings, formatCursor(from, '')) ?? ''
    },
  }
}

async function position(): Promise<Cursor> {
  const [last] = await sql<{ xid: string; id: string }[]>`
    select xid::text as xid, id::text as id from live_event order by live_event.xid desc, live_event.id desc limit 1`
  return { xid: last?.xid ?? '0', id: Number(last?.id ?? 0) }
}

/** The events of so many messages: they can be read as soon as no older transaction runs. */
async function toldSince(from: Cursor, messages: number): Promise<LiveRow[]> {
  let rows: LiveRow[] = []
  await waitUntil('the events can be read', async () => {
    rows = (await readAfter(db, from, 500)).filter(({ payload }) => payload.includes('"appMessage"'))
    return rows.length >= messages
  })
  return rows
}

function eventsIn(frame: string | null): Map<number, string | null> {
  const { events }: { events: { event: string; message: Message }[] } = JSON.parse(frame ?? '{"events":[]}')
  return new Map(events.map(({ message }) => [message.id, message.quotedMsg?.body ?? null]))
}

function settingsOf(bits: number): VisibilitySettings {
  const on = (bit: number) => (bits & (1 << bit)) !== 0
  return {
    onlyAdminSeeEmptyQueue: false,
    userShowAll: true,
    userClosedQueues: on(4),
    groupPerUser: false,
    hierarchy: false,
    adminChatInterno: false,
    onlyTicketMsg: on(0),
    historyByConnection: on(1),
    historyByQueue: on(2),
    historyByUser: on(3),
  }
}
