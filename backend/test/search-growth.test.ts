// No search grows: words that are common and rarely together, names of many contacts and signs that stand in no index are looked for in so many
// tickets a page, however many there are; and page by page everything is found once. How far a search goes is made small here, so that both desks
// have more than that.
import { afterAll, describe, expect, test } from 'bun:test'
import type { QueryParams } from '@balcao/contract'
import { searchTicketPage, searchTickets } from '../src/desk/tickets/search.ts'
import { SEARCH_REACH } from '../src/desk/tickets/search-parts.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makePerson, makeQueue, makeSession } from './desk-world.ts'
import { describeGrowth } from './read-growth.ts'
import { startReadMeter } from './read-meter.ts'

type Query = QueryParams<'GET /tickets/filter'>

const TICKETS = 8000
const FACTOR = 10
const REACH = {
  first: 25,
  walk: 200,
  sample: 50,
  rare: 100,
  perhapsRare: 1000,
  shortWalk: 600,
  fewPeople: 100,
  manyPeople: 500,
} satisfies typeof SEARCH_REACH
const PEOPLE = ['Marina', 'Rafael', 'Bruna'] as const

const SEARCHES: Readonly<Record<string, Query>> = {
  'two words of every second message that hardly stand together': { searchMessage: 'alfa beta' },
  'the same anywhere': { searchParam: 'alfa beta' },
  'two words that never stand together': { searchMessage: 'alfa gama' },
  'a common name of two words, in names and messages': { searchParam: 'ana silva' },
  'a common name of two words': { searchContact: 'ana silva' },
  'a name of many who said something common': { searchContact: 'ana silva', searchMessage: 'alfa beta' },
  'a tag of many': { searchTag: '1', searchMessage: 'alfa beta' },
  'signs that stand in no index': { searchMessage: '🙂🙂🙂' },
  'a word of every second message': { searchMessage: 'alfa' },
}

const small = await makeDesk(TICKETS)
const large = await makeDesk(TICKETS * FACTOR)
afterAll(async () => {
  for (const desk of [small, large]) await desk.close()
})

describe('spec 1 §5: a search of a desk with ten times as many tickets', () => {
  for (const person of PEOPLE)
    test(`reads no more, for ${person}`, async () => {
      const grown: string[] = []
      for (const [label, query] of Object.entries(SEARCHES)) {
        const growth = describeGrowth(await small.measure(person, query), await large.measure(person, query))
        if (growth !== null) grown.push(`${label}: ${growth}`)
      }
      expect(grown).toEqual([])
    }, 120_000)
})

describe('spec 1 §5: a search that goes on', () => {
  test('finds page by page what one page with all of it shows, each ticket once, whoever asks', async () => {
    for (const person of PEOPLE) {
      const session = await small.enter(person)
      const query = { searchMessage: 'alfa beta', showAll: 'true' } as const
      const { tickets, nextCursor } = await searchTickets(small.db, session, query, ALL)
      expect(nextCursor).toBeNull()
      expect(tickets.length).toBeGreaterThan(1)
      const pages = await small.readPages(person, query)
      expect(pages.length).toBeGreaterThan(2)
      expect(pages.flatMap(page => page.tickets)).toEqual(tickets.map(ticket => ticket.id))
    }
  })

  test('says how far back it has looked, and nothing of the kind once all is seen', async () => {
    const pages = await small.readPages('Marina', { searchMessage: 'alfa gama', showAll: 'true' })
    const ends = pages.map(page => page.searchedTo)
    expect(ends.slice(0, -1).every(end => end !== null)).toBe(true)
    expect(ends.slice(0, -1).toSorted().toReversed()).toEqual(ends.slice(0, -1))
    expect(ends.at(-1)).toBeNull()
    expect(pages.length).toBe(TICKETS / REACH.walk + 1)
  })

  test('finds everybody who is called so, and no ticket twice', async () => {
    const pages = await small.readPages('Marina', { searchParam: 'ana silva', showAll: 'true' })
    const found = pages.flatMap(page => page.tickets)
    const called = await small.sql<{ id: number }[]>`
      select t.id from ticket t join contact c on c.id = t.contact_id where c.name like 'Ana Silva%' order by t.last_message_at desc`
    expect(found).toEqual(called.map(row => row.id))
  })

  test('reaches what stands behind conversations that are longer than a page reads', async () => {
    const query = { searchMessage: 'alfa beta', showAll: 'true' } as const
    const before = (await small.readPages('Marina', query)).flatMap(page => page.tickets)
    await small.sql`update ticket set message_seq = 41000 where id in (${TICKETS - 1}, ${TICKETS - 120})`
    expect((await small.readPages('Marina', query)).flatMap(page => page.tickets)).toEqual(before)
    await small.sql`update ticket set message_seq = 1 where message_seq = 41000`
  })

  test('goes on where many more messages hold a word than Postgres expects', async () => {
    await small.sql`update message set body = 'delta' where id % 2 = 1 and id < ${TICKETS / 2}`
    const all = await small.sql<{ id: number }[]>`
      select t.id from ticket t join message m on m.ticket_id = t.id where m.body = 'delta' order by t.last_message_at desc`
    const pages = await small.readPages('Marina', { searchMessage: 'delta', showAll: 'true' })
    const found = pages.flatMap(page => page.tickets)
    // Not what the index gave; and a page that is full is the last one.
    expect(pages.length).toBeGreaterThan(2)
    expect(found.length).toBeGreaterThanOrEqual(50)
    expect(found).toEqual(all.slice(0, found.length).map(row => row.id))
  })

  test('goes on in the list that is searched, too', async () => {
    const session = await small.enter('Marina')
    const first = await searchTicketPage(small.db, session, { searchParam: '🙂🙂🙂', showAll: 'true' })
    expect([first.tickets, first.hasMore]).toEqual([[], true])
    const next = await searchTicketPage(small.db, session, { searchParam: '🙂🙂🙂', cursor: first.nextCursor ?? '' })
    expect([next.tickets, next.hasMore, next.nextCursor]).toEqual([[], false, null])
  })
})

/** Far enough for a page with all there is. */
const ALL = { ...SEARCH_REACH, perhapsRare: Number.MAX_SAFE_INTEGER }

/** One message a ticket, the newest ticket last; a contact has two. Every second message says one word, the others another, one in a thousand both. */
async function makeDesk(tickets: number) {
  const { url, db } = await createTestDatabase()
  const sql = db.$client
  const queueIds = [await makeQueue(db, 'Vendas'), await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Entregas')]
  const shop = await makeConnection(db, 'Loja')
  const ids = {
    Marina: await makePerson(db, { name: 'Marina', profile: 'admin' }),
    Rafael: await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: queueIds.slice(0, 2) }),
    Bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: queueIds.slice(1) }),
  }
  await sql`insert into tag (name, color) values ('Todos', '#0b6e4f')`
  await sql.begin(async tx => {
    // What the triggers count is not asked here.
    await tx`set local session_replication_role = replica`
    await tx`
      insert into contact (name, number) select case when n % 8 = 3 then 'Ana Silva ' else 'Cliente ' end || n, (5531990000000 + n)::text
      from generate_series(1, ${tickets / 2}) n`
    await tx`insert into contact_tag (contact_id, tag_id) select id, 1 from contact where id % 3 <> 0`
    await tx`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, message_seq, last_message_at, created_at, closed_at)
      select 'closed', 1 + n % ${tickets / 2}, ${shop}, (${queueIds}::int[])[1 + n % 3], case when n % 2 = 0 then ${ids.Bruna}::int end, 1, at, at, at
      from generate_series(1, ${tickets}) n cross join lateral (select now() - (${tickets} - n) * interval '1 minute' as at) d order by n`
    await tx`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state, provider_id)
      select id, contact_id, whatsapp_id, 1, last_message_at, false,
        case when id % 1000 in (7, 8, 9) then 'alfa beta ' when id % 2 = 0 then 'alfa ' else 'beta gama ' end || id, 'received', 'p' || id
      from ticket order by id`
    await tx`update message set body = replace(body, ' gama', '') where body like 'alfa%'`
  })
  await sql`vacuum analyze`
  const meter = await startReadMeter(url)
  const measured = openDatabase(meter.url, { purpose: 'web' })
  const enter = (person: (typeof PEOPLE)[number]) => makeSession(db, ids[person], { userClosedQueues: true })
  return {
    db,
    sql,
    enter,
    /** What the search reads the second time, with plans and sessions made. */
    async measure(person: (typeof PEOPLE)[number], query: Query) {
      const session = await enter(person)
      for (let turn = 0; turn < 2; turn++) {
        meter.clear()
        await searchTickets(measured, session, { showAll: 'true', ...query }, REACH)
      }
      return [...meter.statements]
    },
    async readPages(person: (typeof PEOPLE)[number], query: Query) {
      const session = await enter(person)
      const pages: { tickets: number[]; searchedTo: string | null }[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await searchTickets(db, session, { ...query, ...(cursor && { cursor }) }, REACH)
        pages.push({ tickets: page.tickets.map(ticket => ticket.id), searchedTo: page.searchedTo })
        expect(page.hasMore).toBe(page.nextCursor !== null)
        if (!page.nextCursor) return pages
        cursor = page.nextCursor
      }
    },
    async close() {
      await closeDatabase(measured)
      meter.stop()
    },
  }
}
