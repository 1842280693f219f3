// Every page of tickets and messages is a range of an index, whoever looks: asked of Postgres on a large database, as it was filled and
// after it has lived (rows changed in any order, people in other queues than they were), with plans made once and made for the values.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { AccessSettings, Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import { listTickets } from '../src/desk/tickets/list.ts'
import { selectTicketKinds } from '../src/desk/tickets/list-branches.ts'
import { searchTickets } from '../src/desk/tickets/search.ts'
import type { TicketSearch } from '../src/desk/tickets/search-conditions.ts'
import { messageIndexSql, namedContactsSql } from '../src/desk/tickets/search-index.ts'
import { messagesOfContactsSql, messageWalkSql } from '../src/desk/tickets/search-walk.ts'
import { waitingTicketsSql } from '../src/operations/notifications/waiting.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Session } from '../src/policy/sessions/authenticate.ts'
import { createTestDatabase } from './database.ts'
import { makeConnection, makePerson, makeQueue, makeSession } from './desk-world.ts'
import {
  countRowsDiscarded,
  countRowsRead,
  createRecorder,
  listPlanNodes,
  PLAN_MODES,
  type PlanNode,
} from './recorded-plans.ts'
import { takeRounds } from './rounds.ts'

const { db, url, beforeDrop } = await createTestDatabase()
const sql = getSql(db)
const TICKETS = 60_000
const PAGE = 41
let viewers: Viewer[] = []
/** Came lately: hardly a ticket of their own. */
let newcomer = 0
let session: Session

beforeAll(async () => {
  const queueIds = [
    await makeQueue(db, 'A'),
    await makeQueue(db, 'B'),
    await makeQueue(db, 'C'),
    await makeQueue(db, 'D'),
  ]
  const whatsappId = await makeConnection(db, 'Loja Centro')
  const profiles = ['admin', 'gerente', 'user'] as const
  viewers = await Promise.all(
    profiles.map(async profile => {
      const own = profile === 'admin' ? queueIds : queueIds.slice(0, 3)
      return { id: await makePerson(db, { name: profile, profile, queueIds: own }), profile, queueIds: own }
    }),
  )
  const people = viewers.map(viewer => viewer.id)
  newcomer = await makePerson(db, { name: 'Chegou', profile: 'user', queueIds: queueIds.slice(1, 3) })
  session = await makeSession(db, people[0] ?? 0)
  // What is known of the tables is what this file says: no visit of the autovacuum in between.
  for (const table of [sql`ticket`, sql`message`, sql`contact`])
    await sql`alter table ${table} set (autovacuum_enabled = false)`
  await db.transaction(async tx => {
    const quick = getSql(tx)
    await quick`set local session_replication_role = replica`
    // Whoever is called Joana Prado has not written for a while.
    await quick`insert into contact (name)
      select case when g > 4600 then 'Joana Prado ' else 'Cliente ' end || g from generate_series(1, ${TICKETS / 10}) g`
    await quick`insert into contact_identity (kind, value, contact_id) select 'pn', (5531990000000 + id)::text, id from contact`
    await quick`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, closed_at, message_seq)
      select case when g % 40 = 0 then (array['open', 'pending', 'paused'])[1 + (g / 40) % 3] else 'closed' end,
        1 + g % ${TICKETS / 10}, ${whatsappId},
        case when g % 13 = 0 then null else (${queueIds}::int[])[1 + g % 4] end,
        case when g % 7 = 0 then null when g % 5003 = 1 then ${newcomer} else (${people}::int[])[1 + g % 3] end,
        g % 20 = 0, now() - g * interval '1 second', now() - g * interval '1 second', 1
      from generate_series(1, ${TICKETS}) g on conflict do nothing`
    await quick`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select t.id, t.contact_id, t.whatsapp_id, 1, t.last_message_at, false, 'mensagem ' || t.id, 'received' from ticket t`
  })
  await sql`analyze`
}, 120_000)

// One that has lived is the harder one.
for (const lived of takeRounds([true, false], 1).toReversed()) {
  describe(lived ? 'on a database that has lived,' : 'on a database as it was filled,', () => {
    if (lived) beforeAll(live, 120_000)
    for (const mode of PLAN_MODES) pagesAndSearches(mode)
    singlePlans()
  })
}

describe('with two thousand who wait,', () => {
  beforeAll(async () => {
    await sql`
      update ticket set status = 'pending', is_group = false, user_id = null, created_at = now() - id * interval '1 second'
      where id <= 2000 and status = 'closed'`
    await sql`analyze ticket`
  })
  for (const mode of PLAN_MODES) {
    const recorded = createRecorder(url, mode)
    beforeDrop(() => recorded.end())
    test(`a page of who waits longest is read off the end it begins at, ${mode}`, async () => {
      for (const { id } of viewers) {
        const person = await makeSession(db, id, { userShowAll: true })
        const query = { status: 'pending', showAll: 'true', order: 'wait' } as const
        const { nextCursor } = await listTickets(db, person, query)
        for (const cursor of [undefined, nextCursor ?? '']) {
          const nodes = await recorded.nodesOf(() =>
            listTickets(recorded.db, person, { ...query, ...(cursor && { cursor }) }),
          )
          const scans = scansOf('ticket', nodes)
          expect(scans.flatMap(node => node['Index Name'] ?? []).some(name => name.endsWith('_waits'))).toBe(true)
          expect(Math.max(...scans.map(countRowsDiscarded))).toBe(0)
          expect(total(scans.map(countRowsRead))).toBeLessThanOrEqual(MOST_ROWS)
        }
      }
    })
  }
})

/** Weeks at the desk: tickets change in any order, the attendant and the manager leave their queues for the fourth. */
async function live(): Promise<void> {
  for (let part = 0; part < 4; part++)
    await sql`update ticket set unread_messages = unread_messages, version = version + 1
      where id in (select id from ticket where id % 4 = ${part} order by md5(id::text))`
  const [, ...moved] = viewers
  const fourth = viewers[0]?.queueIds.at(-1) ?? 0
  for (const { id } of moved) {
    await sql`delete from user_queue where user_id = ${id}`
    await sql`insert into user_queue (user_id, queue_id) values (${id}, ${fourth})`
    // What they have had in it: next to nothing, long ago.
    await sql`update ticket set user_id = ${newcomer} where queue_id = ${fourth} and user_id = ${id} and id % 911 <> 0`
  }
  viewers = viewers.map(viewer => (viewer.profile === 'admin' ? viewer : { ...viewer, queueIds: [fourth] }))
  await sql`analyze`
}

function pagesAndSearches(mode: (typeof PLAN_MODES)[number]): void {
  const recorded = createRecorder(url, mode)
  beforeDrop(() => recorded.end())
  const settingsToTry: Partial<AccessSettings>[] = [
    { userClosedQueues: true },
    { userClosedQueues: true, userShowAll: true },
    { userClosedQueues: true, userShowAll: true, hierarchy: true },
    {},
  ]

  for (const status of ['open', 'pending', 'paused', 'group', 'closed', 'closedGroup'] as const) {
    for (const showAll of ['true', 'false'] as const) {
      test(`a page of "${status}"${showAll === 'true' ? ' with show all' : ''} reads what it shows and throws nothing away, ${mode}`, async () => {
        const people = [...viewers.map(viewer => viewer.id), newcomer]
        for (const id of people)
          for (const settings of settingsToTry) {
            const person = await makeSession(db, id, settings)
            const nodes = await recorded.nodesOf(() => listTickets(recorded.db, person, { status, showAll }))
            const scans = scansOf('ticket', nodes)
            // The rows of a page are then taken by their ids, by an index or by a bitmap of it: never by reading the table.
            expect(scans.filter(node => node['Node Type'].includes('Seq Scan'))).toEqual([])
            expect(Math.max(...scans.map(countRowsDiscarded))).toBe(0)
            expect(total(scans.map(countRowsRead))).toBeLessThanOrEqual(MOST_ROWS)
          }
      })
    }
  }

  test(`deep in the closed ones a page costs what the first one costs, ${mode}`, async () => {
    const [deep] = await sql<{ at: string }[]>`
      select to_char(now() - ${TICKETS - 5000} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`
    const cursor = Buffer.from(JSON.stringify([deep?.at, 1])).toString('base64url')
    for (const { id } of viewers) {
      const person = await makeSession(db, id, { userClosedQueues: true })
      const query = { status: 'closed', showAll: 'true', cursor } as const
      const nodes = await recorded.nodesOf(() => listTickets(recorded.db, person, query))
      const scans = scansOf('ticket', nodes)
      expect(Math.max(...scans.map(countRowsDiscarded))).toBe(0)
      expect(total(scans.map(countRowsRead))).toBeLessThanOrEqual(MOST_ROWS)
    }
  })

  test(`spec 1 §5: names of two words are looked up ticket by ticket, also where that seems dear, ${mode}`, async () => {
    const { $client } = recorded.db
    await $client`select set_config('random_page_cost', '20', false)`
    for (const { id } of viewers) {
      const person = await makeSession(db, id, { userShowAll: true })
      const query = { searchParam: 'joana prado', showAll: 'true' } as const
      const nodes = await recorded.nodesOf(() => searchTickets(recorded.db, person, query))
      const compared = nodes.map(node => (node['Rows Removed by Join Filter'] ?? 0) * (node['Actual Loops'] ?? 0))
      expect(total(compared)).toBeLessThan(TICKETS)
    }
    await $client`reset random_page_cost`
  })

  test(`spec 1 §5: a person and a common word are looked for in that person’s newest tickets, ${mode}`, async () => {
    const [admin] = viewers
    const person = await makeSession(db, admin?.id ?? 0)
    for (const searchUser of [...viewers.map(viewer => viewer.id), newcomer].map(String)) {
      const query = { searchParam: 'mensagem', searchUser, showAll: 'true' } as const
      const nodes = await recorded.nodesOf(() => searchTickets(recorded.db, person, query))
      expect(total(scansOf('message', nodes).map(countRowsRead))).toBeLessThanOrEqual(MOST_ROWS)
      // A walk through 4,000 tickets for customers who are called so: each stands in a list and is looked up.
      expect(total(scansOf('ticket', nodes).map(countRowsRead))).toBeLessThanOrEqual(TICKETS / 4)
    }
  })
}

function singlePlans(): void {
  test('what stands in the bell is read off the newest of the live tickets, for everybody', async () => {
    for (const { id } of viewers) {
      const nodes = await planOf(waitingTicketsSql(sql, await makeSession(db, id, { userShowAll: true }), 30))
      const scans = nodes.filter(node => node['Node Type'].includes('Scan') && node['Index Name'] !== undefined)
      expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'ticket')).toBe(false)
      expect(Math.max(...scans.map(countRowsRead))).toBeLessThan(TICKETS / 20)
    }
  })

  describe('spec 1 §5: a search', () => {
    const toSearch = (viewer: Viewer, words: Partial<TicketSearch>): TicketSearch => ({
      session: { ...session, viewer },
      choice: { kinds: selectTicketKinds(undefined, undefined), showAll: true, queueIds: undefined },
      anyKind: true,
      text: null,
      message: null,
      contact: null,
      words: words.message ?? words.text ?? [],
      userIds: null,
      tagIds: null,
      ...words,
    })
    const tablesReadWhole = (nodes: readonly PlanNode[]) =>
      nodes.flatMap(node => (node['Node Type'].includes('Seq Scan') ? (node['Relation Name'] ?? []) : []))

    test('finds messages, names and numbers by their trigrams, whoever asks', async () => {
      for (const viewer of viewers) {
        const byMessage = await planOf(messageIndexSql(sql, toSearch(viewer, { message: ['m 5999'] }), TICKETS))
        expect(byMessage.flatMap(node => node['Index Name'] ?? [])).toContain('message_text_search')
        expect(tablesReadWhole(byMessage)).not.toContain('message')
        // However many the planner expects, it reads no table of tickets.
        const taken = await planOf(messageIndexSql(sql, toSearch(viewer, { message: ['mensagem'] }), TICKETS))
        expect(tablesReadWhole(taken)).not.toContain('ticket')
        const some = await planOf(messageIndexSql(sql, toSearch(viewer, { message: ['mensagem'] }), 100))
        expect(Math.max(...scansOf('message', some).map(countRowsRead))).toBeLessThanOrEqual(101)
        // A few thousand contacts are read faster than any index: what counts is that there is one.
        for (const [words, index] of [
          ['te 5999', 'contact_name_search'],
          ['998762', 'identity_search'],
        ] as const) {
          const nodes = await db.transaction(async tx => {
            await getSql(
              tx,
            )`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
              set_config('enable_indexonlyscan', 'off', true)`
            return planOf(namedContactsSql(getSql(tx), [words]), getSql(tx))
          })
          expect(nodes.flatMap(node => node['Index Name'] ?? [])).toContain(index)
        }
      }
    })

    test('that looks through the newest tickets reads their messages and no others', async () => {
      const newest = await sql<{ id: number }[]>`select id from ticket order by last_message_at desc limit 4000`
      const ids = newest.map(row => row.id)
      for (const viewer of viewers) {
        const nodes = await planOf(messageWalkSql(sql, toSearch(viewer, { message: ['m 5999'] }), ids, 50))
        const messages = nodes.filter(node => node['Relation Name'] === 'message')
        expect(messages.map(node => node['Node Type'])).toEqual(['Index Scan'])
        expect(messages.map(countRowsRead).every(rows => rows <= ids.length)).toBe(true)
      }
    })

    test('that looks through the tickets of some contacts takes them from an index alone, and stops at the fiftieth', async () => {
      await sql`vacuum ticket`
      const people = Array.from({ length: 500 }, (_, n) => 1 + n * 10)
      for (const viewer of viewers) {
        const nodes = await planOf(messagesOfContactsSql(sql, toSearch(viewer, { message: ['mensagem'] }), people))
        const tickets = nodes.filter(node => node['Relation Name'] === 'ticket')
        expect(tickets.map(node => [node['Node Type'], node['Index Name']])).toEqual([
          ['Index Only Scan', 'ticket_contact'],
        ])
        const messages = nodes.filter(node => node['Relation Name'] === 'message')
        expect(messages.map(countRowsRead).every(rows => rows <= 100)).toBe(true)
      }
    })
  })
}

/** The heads of as many ranges as there are, and a page of each that is on it. */
const MOST_ROWS = 30 * PAGE

function scansOf(table: string, nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter(node => node['Relation Name'] === table)
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, each) => sum + each, 0)
}

async function planOf(query: postgres.PendingQuery<postgres.Row[]>, on = sql): Promise<PlanNode[]> {
  const [row] = await on<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`explain (analyze, format json) ${query}`
  const plan = row?.['QUERY PLAN'][0]?.Plan
  return plan ? listPlanNodes(plan) : []
}
