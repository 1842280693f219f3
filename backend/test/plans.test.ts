// Every page of tickets and messages is a range of an index, whoever looks: asked of Postgres on a large database.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import { sqlOf } from '../src/database/raw.ts'
import { newestSql } from '../src/notifications/waiting.ts'
import type { Session } from '../src/sessions/authenticate.ts'
import { pageSql } from '../src/tickets/list.ts'
import { branchesOf, kindsOf } from '../src/tickets/list-branches.ts'
import type { Asked } from '../src/tickets/search-conditions.ts'
import { messagesSql, namesSql } from '../src/tickets/search-index.ts'
import { saidOfPeopleSql, saidSql } from '../src/tickets/search-walk.ts'
import { testDatabase } from './database.ts'
import { aConnection, aPerson, aQueue, sessionOf } from './desk-world.ts'

const { db } = await testDatabase()
const sql = sqlOf(db)
const TICKETS = 60_000
const LIMIT = 41
let viewers: Viewer[] = []
let session: Session

beforeAll(async () => {
  const queueIds = [await aQueue(db, 'A'), await aQueue(db, 'B'), await aQueue(db, 'C'), await aQueue(db, 'D')]
  const whatsappId = await aConnection(db, 'Loja Centro')
  const profiles = ['admin', 'gerente', 'user'] as const
  viewers = await Promise.all(
    profiles.map(async profile => {
      const own = profile === 'admin' ? queueIds : queueIds.slice(0, 3)
      return { id: await aPerson(db, { name: profile, profile, queueIds: own }), profile, queueIds: own }
    }),
  )
  const people = viewers.map(viewer => viewer.id)
  session = await sessionOf(db, people[0] ?? 0)
  await db.transaction(async tx => {
    const quick = sqlOf(tx)
    await quick`set local session_replication_role = replica`
    await quick`insert into contact (name) select 'Cliente ' || g from generate_series(1, ${TICKETS / 10}) g`
    await quick`insert into contact_identity (kind, value, contact_id) select 'pn', (5531990000000 + id)::text, id from contact`
    await quick`
      insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, last_message_at, closed_at)
      select case when g % 40 = 0 then (array['open', 'pending', 'paused'])[1 + (g / 40) % 3] else 'closed' end,
        1 + g % ${TICKETS / 10}, ${whatsappId},
        case when g % 13 = 0 then null else (${queueIds}::int[])[1 + g % 4] end,
        case when g % 7 = 0 then null else (${people}::int[])[1 + g % 3] end,
        g % 20 = 0, now() - g * interval '1 second', now() - g * interval '1 second'
      from generate_series(1, ${TICKETS}) g on conflict do nothing`
    await quick`
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
      select t.id, t.contact_id, t.whatsapp_id, 1, t.last_message_at, false, 'mensagem ' || t.id, 'received' from ticket t`
  })
  await sql`analyze`
}, 120_000)

describe('a page of tickets', () => {
  for (const status of ['open', 'pending', 'paused', 'group', 'closed', 'closedGroup'] as const) {
    for (const showAll of [true, false]) {
      test(`of "${status}"${showAll ? ' with show all' : ''} reads little more than it shows`, async () => {
        const cases = viewers.flatMap(viewer => [true, false].map(userShowAll => ({ viewer, userShowAll })))
        for (const { viewer, userShowAll } of cases) {
          const settings = { ...NOTHING, userShowAll, userClosedQueues: true }
          const choice = { kinds: kindsOf(status, undefined), showAll, queueIds: undefined }
          const branches = branchesOf(viewer, settings, choice, [])
          const bounds = { after: null, from: null, until: null, onlyUnread: false }
          const nodes = await planOf(pageSql(sql, branches, bounds, LIMIT))
          expect(nodes.map(node => node['Node Type'])).not.toContain('Seq Scan')
          const rows = nodes.filter(node => node['Node Type'].includes('Scan')).map(rowsRead)
          expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
        }
      })
    }
  }

  test('deep in a million costs what the first one costs', async () => {
    for (const viewer of viewers) {
      const choice = { kinds: kindsOf('closed', undefined), showAll: true, queueIds: undefined }
      const branches = branchesOf(viewer, { ...NOTHING, userClosedQueues: true }, choice, [])
      const [deep] = await sql<{ at: string }[]>`select now() - ${TICKETS - 5000} * interval '1 second' as at`
      const after = { at: deep?.at ?? '', id: 1 }
      const nodes = await planOf(pageSql(sql, branches, { after, from: null, until: null, onlyUnread: false }, LIMIT))
      expect(Math.max(...nodes.filter(node => node['Node Type'].includes('Scan')).map(rowsRead))).toBeLessThanOrEqual(
        MOST_ROWS,
      )
    }
  })
})

test('what stands in the bell is read off the newest of the live tickets, for everybody', async () => {
  for (const { id } of viewers) {
    const nodes = await planOf(newestSql(sql, await sessionOf(db, id, { userShowAll: true }), 30))
    const scans = nodes.filter(node => node['Node Type'].includes('Scan') && node['Index Name'] !== undefined)
    expect(nodes.some(node => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'ticket')).toBe(false)
    expect(Math.max(...scans.map(rowsRead))).toBeLessThan(TICKETS / 20)
  }
})

test('a conversation is a range of the contact’s index', async () => {
  const nodes = await planOf(sql`
    select m.id from message m where m.contact_id = 7 and m.ticket_id = any('{7,8,9}'::int[])
    order by m.at desc nulls last, m.ticket_id desc nulls last, m.seq desc nulls last limit 41`)
  expect(nodes.flatMap(node => node['Index Name'] ?? [])).toContain('message_page')
})

describe('spec 1 §5: a search', () => {
  const asked = (viewer: Viewer, words: Partial<Asked>): Asked => ({
    session: { ...session, viewer },
    choice: { kinds: kindsOf(undefined, undefined), showAll: true, queueIds: undefined },
    anyKind: true,
    text: null,
    message: null,
    contact: null,
    said: words.message ?? words.text ?? [],
    userIds: null,
    tagIds: null,
    ...words,
  })
  const tablesReadWhole = (nodes: readonly PlanNode[]) =>
    nodes.flatMap(node => (node['Node Type'].includes('Seq Scan') ? (node['Relation Name'] ?? []) : []))

  test('finds messages, names and numbers by their trigrams, whoever asks', async () => {
    for (const viewer of viewers) {
      const byMessage = await planOf(messagesSql(sql, asked(viewer, { message: ['m 5999'] }), false))
      expect(byMessage.flatMap(node => node['Index Name'] ?? [])).toContain('message_text_search')
      expect(tablesReadWhole(byMessage)).not.toContain('message')
      // However many the planner expects, what is taken for few reads no table of tickets.
      const taken = await planOf(messagesSql(sql, asked(viewer, { message: ['mensagem'] }), true))
      expect(tablesReadWhole(taken)).not.toContain('ticket')
      // A few thousand contacts are read faster than any index: what counts is that there is one.
      for (const [words, index] of [
        ['te 5999', 'contact_name_search'],
        ['998762', 'identity_search'],
      ] as const) {
        const nodes = await db.transaction(async tx => {
          await sqlOf(tx)`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`
          return planOf(namesSql(sqlOf(tx), asked(viewer, { text: [words] }), [words]), sqlOf(tx))
        })
        expect(nodes.flatMap(node => node['Index Name'] ?? [])).toContain(index)
      }
    }
  })

  test('that looks through the newest tickets reads their messages and no others', async () => {
    const newest = await sql<{ id: number }[]>`select id from ticket order by last_message_at desc limit 4000`
    const ids = newest.map(row => row.id)
    for (const viewer of viewers) {
      const nodes = await planOf(saidSql(sql, asked(viewer, { message: ['m 5999'] }), ids, 50))
      const messages = nodes.filter(node => node['Relation Name'] === 'message')
      expect(messages.map(node => node['Node Type'])).toEqual(['Index Scan'])
      expect(messages.map(rowsRead).every(rows => rows <= ids.length)).toBe(true)
    }
  })

  test('that looks through the tickets of some contacts takes them from an index alone, and stops at the fiftieth', async () => {
    await sql`vacuum ticket`
    const people = Array.from({ length: 500 }, (_, n) => 1 + n * 10)
    for (const viewer of viewers) {
      const nodes = await planOf(saidOfPeopleSql(sql, asked(viewer, { message: ['mensagem'] }), people))
      const tickets = nodes.filter(node => node['Relation Name'] === 'ticket')
      expect(tickets.map(node => [node['Node Type'], node['Index Name']])).toEqual([
        ['Index Only Scan', 'ticket_contact'],
      ])
      const messages = nodes.filter(node => node['Relation Name'] === 'message')
      expect(messages.map(rowsRead).every(rows => rows <= 100)).toBe(true)
    }
  })
})

const NOTHING = {
  onlyAdminSeeEmptyQueue: false,
  userShowAll: false,
  userClosedQueues: false,
  groupPerUser: false,
  hierarchy: false,
  adminChatInterno: false,
}
/** A branch gives at most a page; what its filter throws away may be a few times that where queues are mixed. */
const MOST_ROWS = 6 * LIMIT

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function rowsRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

async function planOf(query: postgres.PendingQuery<postgres.Row[]>, on = sql): Promise<PlanNode[]> {
  const [row] = await on<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>`explain (analyze, format json) ${query}`
  const nodes: PlanNode[] = []
  const visit = (node: PlanNode) => {
    nodes.push(node)
    for (const child of node.Plans ?? []) visit(child)
  }
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (plan) visit(plan)
  return nodes
}
