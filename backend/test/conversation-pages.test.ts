// A conversation of a customer of thirty tickets, for who sees all of them and for who sees some: each message once and in order, whichever way
// one reads, and nothing read of what is not shown.
import { beforeAll, expect, test } from 'bun:test'
import { loadMessagePage } from '../src/desk/messages/page.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeSession, makeTicket } from './desk-world.ts'
import { countRowsRead, createRecorder } from './recorded-plans.ts'

const { db, url, beforeDrop } = await createTestDatabase()
const sql = getSql(db)
const TICKETS = 30
const EACH = 200
const PAGE = 41
let readers: { readonly who: string; readonly session: Session; readonly ticket: number; readonly shown: number[] }[]

beforeAll(async () => {
  const [sales, finance] = [await makeQueue(db, 'Vendas'), await makeQueue(db, 'Financeiro')]
  const shop = await makeConnection(db, 'Loja')
  const contactId = await makeContact(db, 'Padaria Estrela')
  const tickets: { readonly id: number; readonly queueId: number }[] = []
  for (let n = 0; n < TICKETS; n++) {
    const queueId = n % 5 === 2 ? finance : sales
    const id = await makeTicket(db, { contactId, whatsappId: shop, status: 'closed', queueId, userId: null })
    tickets.push({ id, queueId })
  }
  // Four tickets at a time are written in, often within the same second: their messages lie between one another.
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select t.id, ${contactId}, ${shop}, s, timestamptz '2026-01-01' + ((t.place - 1) / 4 * ${EACH} + s) * interval '1 second', false, 'linha', 'received'
    from unnest(${tickets.map(({ id }) => id)}::int[]) with ordinality t(id, place), generate_series(1, ${EACH}) s`
  await sql`analyze`
  const people = [
    { who: 'an administrator', profile: 'admin', queueIds: [], settings: {} },
    { who: 'a manager of the smaller queue', profile: 'gerente', queueIds: [finance], settings: {} },
    { who: 'an agent of the larger queue', profile: 'user', queueIds: [sales], settings: {} },
    {
      who: 'a manager shown one ticket alone',
      profile: 'gerente',
      queueIds: [finance],
      settings: { onlyTicketMsg: true },
    },
  ] as const
  readers = await Promise.all(
    people.map(async ({ who, profile, queueIds, settings }) => {
      const session = await makeSession(db, await makePerson(db, { name: who, profile, queueIds }), settings)
      const seen = tickets.filter(({ queueId }) => profile === 'admin' || queueIds.some(id => id === queueId))
      const ticket = seen.at(-1)?.id ?? 0
      return { who, session, ticket, shown: 'onlyTicketMsg' in settings ? [ticket] : seen.map(({ id }) => id) }
    }),
  )
})

test('each shown message stands once and in order on the pages to older and to newer ones', async () => {
  for (const { session, ticket, shown } of readers) {
    const rows = await sql<{ id: number }[]>`
      select id::float8 as id from message where ticket_id = any(${shown}::int[]) order by at, ticket_id, seq`
    const all = rows.map(row => row.id)
    const middle = all[Math.floor(all.length / 2)] ?? 0
    const first = await loadMessagePage(db, session, ticket, { around: middle, limit: 150 })
    const read = first.messages.map(message => message.id)
    expect(read).toContain(middle)
    for (let cursor = first.newerCursor; cursor; ) {
      const page = await loadMessagePage(db, session, ticket, { cursor, limit: 200 })
      read.push(...page.messages.map(message => message.id))
      cursor = page.newerCursor
    }
    for (let cursor = first.nextCursor; cursor; ) {
      const page = await loadMessagePage(db, session, ticket, { cursor, limit: 200 })
      read.unshift(...page.messages.map(message => message.id))
      cursor = page.nextCursor
    }
    expect(read).toEqual(all)
    const second = await loadMessagePage(db, session, ticket, { pageNumber: 2 })
    expect(second.messages.map(message => message.id)).toEqual(all.slice(-80, -40))
  }
})

test('a page reads its messages and the next one of each shown ticket, and looks at none of the others', async () => {
  const recorded = createRecorder(url, 'force_custom_plan')
  beforeDrop(() => recorded.end())
  for (const { session, ticket, shown } of readers) {
    // Names are read with the first page alone.
    const page = await loadMessagePage(recorded.db, session, ticket, {})
    const around = page.messages[3]?.id ?? 0
    for (const query of [{}, { cursor: page.nextCursor ?? '' }, { around }, { unread: true }]) {
      const nodes = await recorded.nodesOf(() => loadMessagePage(recorded.db, session, ticket, query))
      const scans = nodes.filter(node => node['Relation Name'] === 'message')
      // Which ones, and each once more by its id; those of the same second are sorted among themselves.
      const most = 2 * PAGE + 2 * shown.length + 10
      expect(scans.reduce((rows, node) => rows + countRowsRead(node), 0)).toBeLessThanOrEqual(most)
      expect(nodes.filter(node => /Bitmap|Seq Scan/.test(node['Node Type']))).toEqual([])
    }
  }
})

test('opening a conversation reads it in the statement that finds it, for whom all or a few of its tickets are shown', async () => {
  const recorded = createRecorder(url, 'force_custom_plan')
  beforeDrop(() => recorded.end())
  const pages: number[] = []
  for (const { session, ticket, shown } of readers) {
    await loadMessagePage(recorded.db, session, ticket, {})
    const page = await loadMessagePage(recorded.db, session, ticket, {})
    const rows = await sql<{ id: number }[]>`
      select id::float8 as id from message where ticket_id = any(${shown}::int[]) order by at desc, ticket_id desc, seq desc limit 40`
    expect(page.messages.map(message => message.id)).toEqual(rows.map(row => row.id).reverse())
    const nodes = await recorded.nodesOf(() => loadMessagePage(recorded.db, session, ticket, {}))
    pages.push(nodes.filter(node => node['Relation Name'] === 'name_revision').length)
  }
  // Of more than a few it is known only by then how many ranges there are.
  expect(pages).toEqual([1, 2, 2, 1])
})

test('a message of a ticket that is not shown is no place to read from, and a cursor made of it shows nothing of it', async () => {
  for (const { session, ticket, shown } of readers) {
    const [hidden] = await sql<{ id: number; at: string; ticketId: number; seq: number }[]>`
      select id::float8 as id, at, ticket_id as "ticketId", seq from message where ticket_id <> all(${shown}::int[]) and seq = 7 limit 1`
    if (!hidden) continue
    expect(await loadMessagePage(db, session, ticket, { around: hidden.id }).catch(String)).toContain(
      'ERR_NO_MESSAGE_FOUND',
    )
    for (const sign of ['', '>']) {
      const cursor = Buffer.from(`${sign}${hidden.at}|${hidden.ticketId}|${hidden.seq}`).toString('base64url')
      const { messages } = await loadMessagePage(db, session, ticket, { cursor, limit: 200 })
      expect(messages.filter(message => !shown.includes(message.ticketId))).toEqual([])
    }
  }
})
