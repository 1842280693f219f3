// Every period a ticket spends in a status, with queue and person, whoever changes it (docs/decisions/0175).
import { describe, expect, test } from 'bun:test'
import { resolveContact } from '../src/desk/contacts/identity.ts'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { findOrCreateTicket } from '../src/desk/tickets/find-or-create.ts'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { verifySpans } from './verify-spans.ts'

const SEED = Number(process.env.SEED ?? 20_261_122)
const STEPS = Number(process.env.STEPS ?? countRounds({ all: 250, few: 80 }))

const { db, as } = await startDeskServer()
const sql = getSql(db)
const { chance, pick, upTo } = createSeededRandom(SEED)
const people: { id: number; person: SignedInPerson }[] = []

const queues = [await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Comercial')]
const shop = await makeConnection(db, 'Loja Centro')
await sql`insert into setting (key, value) values ('timeCreateNewTicket', '5')`
clearSettingsCache(db)
for (const name of ['Marina', 'Rafael'])
  people.push({ id: await makePerson(db, { name, profile: 'admin' }), person: await as(name) })

async function spansOf(ticketId: number) {
  const rows =
    await sql`select status, queue_id, user_id, ended_at is null as now from ticket_span where ticket_id = ${ticketId} order by id`
  return rows.map(({ status, queue_id, user_id, now }) => [status, queue_id, user_id, ...(now ? ['now'] : [])])
}

async function aWaitingTicket(queueId: number | null = null): Promise<number> {
  return makeTicket(db, {
    contactId: await makeContact(db, 'Dona Lúcia'),
    whatsappId: shop,
    status: 'pending',
    queueId,
  })
}

describe('the periods of a ticket', () => {
  test('follow its life: waiting, in service, paused, passed on, closed, open again', async () => {
    const id = await aWaitingTicket()
    const [finance = 0, sales = 0] = queues
    const [marina, rafael] = people
    const puts = [
      { status: 'open', queueId: finance },
      { status: 'paused', pauseTag: 'Boleto' },
      { status: 'open' },
      { queueId: sales, userId: rafael?.id },
      { status: 'closed' },
      { status: 'open' },
    ]
    for (const body of puts)
      expect((await marina?.person.call('PUT', `/tickets/${id}`, body))?.status, JSON.stringify(body)).toBe(200)
    expect(await spansOf(id)).toEqual([
      ['pending', null, null],
      ['open', finance, marina?.id],
      ['paused', finance, marina?.id],
      ['open', finance, null],
      ['open', sales, rafael?.id],
      ['closed', sales, rafael?.id],
      ['open', sales, marina?.id, 'now'],
    ])
    await verifySpans(db, 'a life')
  })

  test('hold what was committed: what nobody could see in between is none', async () => {
    const id = await aWaitingTicket()
    await db.transaction(async tx => {
      for (const status of ['open', 'paused', 'closed', 'pending'])
        await getSql(tx)`update ticket set status = ${status} where id = ${id}`
    })
    expect(await spansOf(id)).toEqual([['pending', null, null, 'now']])
  })

  test('are written for a statement that knows nothing of them', async () => {
    const [id, other] = [await aWaitingTicket(), await aWaitingTicket(queues[0])]
    await sql`update ticket set queue_id = ${queues[1] ?? 0} where id = any(${[id, other]}::int[])`
    await sql`update ticket set user_id = ${people[0]?.id ?? 0}, last_message = 'x' where id = ${id}`
    await sql`update ticket set last_message = 'y', status = status, version = version + 1 where id = any(${[id, other]}::int[])`
    expect(await spansOf(id)).toEqual([
      ['pending', null, null],
      ['pending', queues[1], null],
      ['pending', queues[1], people[0]?.id, 'now'],
    ])
    expect(await spansOf(other)).toHaveLength(2)
  })

  test('begin, where a desk is updated, with what its live tickets know of themselves', async () => {
    const [waits, served] = [await aWaitingTicket(), await aWaitingTicket(queues[0])]
    await sql`update ticket set status = 'open', accepted_at = created_at + interval '1 minute' where id = ${served}`
    await sql`truncate ticket_span, ticket_figure`
    const migration = await Bun.file(`${import.meta.dir}/../migrations/0022_ticket_spans.sql`).text()
    await sql.unsafe(migration.split('--> statement-breakpoint').at(-1) ?? '')
    await verifySpans(db, 'the update')
    const begun = await sql`select t.id, s.begun_at = coalesce(t.accepted_at, t.created_at) as right from ticket t
      join ticket_span s on s.ticket_id = t.id where t.id = any(${[waits, served]}::int[]) order by t.id`
    expect(begun.map(row => row.right)).toEqual([true, true])
  })

  test('say of a closing who closed it and where, whatever becomes of the closed ticket', async () => {
    const [id, here, there] = [await aWaitingTicket(queues[0]), queues[0] ?? 0, queues[1] ?? 0]
    await sql`update ticket set status = 'closed', user_id = ${people[0]?.id ?? 0} where id = ${id}`
    await sql`update ticket set queue_id = ${there}, user_id = null where id = ${id}`
    expect(await spansOf(id)).toEqual([
      ['pending', here, null],
      ['closed', here, people[0]?.id],
    ])
  })

  test('go on where two changes wait for each other, though the later one began first', async () => {
    const id = await aWaitingTicket()
    const early = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const late = db.transaction(async tx => {
      await getSql(tx)`select now()`
      begun.resolve()
      await early.promise
      await getSql(tx)`update ticket set status = 'paused' where id = ${id}`
    })
    await begun.promise
    await sql`update ticket set status = 'open' where id = ${id}`
    early.resolve()
    await late
    await verifySpans(db, 'two at once')
    expect(await spansOf(id)).toHaveLength(3)
  })

  test('go with a deleted ticket, and a ticket that was never live has none', async () => {
    const id = await aWaitingTicket()
    await people[0]?.person.call('DELETE', `/tickets/${id}`)
    expect(await spansOf(id)).toEqual([])
    const contactId = await makeContact(db, 'Aviso')
    const notice = await db.transaction(tx =>
      findOrCreateTicket(tx, { contactId, whatsappId: shop, queueId: null, userId: null }),
    )
    expect(await spansOf(notice.id)).toEqual([])
  })

  test(`keep their rule after each of ${STEPS} random steps (SEED=${SEED})`, async () => {
    for (let step = 1; step <= STEPS; step++) {
      const [name, act] = pick(ACTIONS)
      await act()
      await verifySpans(db, `step ${step}: ${name}`)
    }
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ticket_span`
    expect(row?.n ?? 0).toBeGreaterThan(STEPS / 4)
  })
})

const ACTIONS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a customer writes', () => receiveEvents(db, { id: shop }, [makeMessageEvent(customer(), 'Bom dia')])],
  [
    'a customer writes',
    () => receiveEvents(db, { id: shop }, [makeMessageEvent(customer(), 'um'), makeMessageEvent(customer(), 'dois')]),
  ],
  [
    'somebody writes on the phone',
    () => receiveEvents(db, { id: shop }, [makeMessageEvent(customer(), 'oi', { fromMe: true })]),
  ],
  ['accepted or reopened', () => put({ status: 'open', queueId: pick(queues) })],
  ['returned', () => put({ status: 'pending' })],
  ['paused', () => put({ status: 'paused', pauseTag: 'Boleto' })],
  ['resolved', () => put({ status: 'closed' })],
  ['closed without a word', () => put({ status: 'closed', onlyClose: true })],
  ['to a queue', () => put({ queueId: pick(queues) })],
  ['to a person', () => put({ queueId: pick(queues), userId: pick(people).id })],
  ['to another connection', async () => put({ whatsappId: await anyOf('whatsapp') })],
  ['opened by an agent', async () => call('POST', '/tickets', { ...(await someContact()), queueId: pick(queues) })],
  ['another program', anotherProgram],
  ['two turn out to be one person', merge],
  ['a connection is deleted', deleteConnection],
  ['deleted', async () => (chance(0.3) ? call('DELETE', `/tickets/${await anyOf('ticket')}`) : undefined)],
  ['by hand', async () => sql`update ticket set queue_id = ${pick(queues)} where status = ${pick(['open', 'closed'])}`],
  ['by hand', async () => sql`update ticket set status = 'bot', user_id = null where id = ${await anyLive()}`],
  ['by hand', async () => sql`update ticket set status = 'nps' where id = ${await anyLive()}`],
]

function customer() {
  return makePeer({ pn: `5531998760${String(upTo(8)).padStart(3, '0')}` })
}

async function anyOf(table: 'ticket' | 'whatsapp'): Promise<number> {
  const there = table === 'whatsapp' ? sql`where deleted_at is null` : sql``
  const [row] = await sql<{ id: number }[]>`
    select id from ${sql(table)} ${there} order by md5(id::text || ${upTo(1000)}) limit 1`
  return row?.id ?? 0
}

async function anyLive(): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select id from ticket where status <> 'closed' order by md5(id::text || ${upTo(1000)}) limit 1`
  return row?.id ?? 0
}

async function someContact() {
  return { contactId: (await db.transaction(tx => resolveContact(tx, customer()))).id, whatsappId: shop }
}

async function anotherProgram(): Promise<void> {
  const queueId = chance(0.5) ? pick(queues) : null
  const userId = queueId !== null && chance(0.5) ? pick(people).id : null
  const wanted = { ...(await someContact()), queueId, userId }
  await db.transaction(tx => findOrCreateTicket(tx, wanted))
}

async function merge(): Promise<void> {
  const [one, other] = [await someContact(), await someContact()]
  const [into, from] = [one.contactId, other.contactId].sort((a, b) => a - b)
  if (into !== undefined && from !== undefined && into !== from)
    await db.transaction(tx => mergeContacts(tx, into, from))
}

/** A second one, with a ticket; it goes with everything that lives on it. */
async function deleteConnection(): Promise<void> {
  const whatsappId = await makeConnection(db, `Loja ${upTo(1e9)}`)
  await receiveEvents(db, { id: whatsappId }, [makeMessageEvent(customer(), 'Bom dia')])
  if (chance(0.5)) await call('DELETE', `/whatsapp/${whatsappId}?force=true`)
}

async function put(body: object): Promise<void> {
  await call('PUT', `/tickets/${await anyOf('ticket')}`, body)
}

/** Refusals are part of the day. */
async function call(method: string, path: string, body?: object): Promise<void> {
  const { status } = await pick(people).person.call(method, path, body)
  if (status >= 500) throw new Error(`${method} ${path} answered ${status}`)
}
