// Looking through given tickets one by one, in their order. Each of these is a bounded piece of work whatever the words are.
import { LIMITS } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql, queryWithPlan } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import {
  chosenFiltersSql,
  chosenListsSql,
  chosenQueuesSql,
  contactJoinSql,
  contactNameSql,
  contactRowSql,
  messageHitSql,
  PLANNED_EACH_TIME,
  searchFilterSql,
  type TicketSearch,
} from './search-conditions.ts'

/** Tickets with very long histories end a walk early: no more messages than this are read in one. */
const MOST_READ = 40_000
const MOST_TICKETS = 10_000

/** Those of the tickets with a message that holds the words. */
export async function filterTicketsByMessages(
  db: Db,
  search: TicketSearch,
  ids: readonly number[],
  most: number,
): Promise<number[]> {
  return readIds(getSql(db)<Row[]>`${messageWalkSql(getSql(db), search, ids, most)}`)
}

export function messageWalkSql(
  sql: postgres.Sql,
  search: TicketSearch,
  ids: readonly number[],
  most: number,
): SqlFragment {
  return sql`
    with walked as materialized (
      select t.id, t.contact_id, w.place, sum(t.message_seq) over (order by w.place) - t.message_seq as read_before
      from ${these(sql, ids)} ${contactJoinSql(sql, search)}
      where true ${chosenFiltersSql(sql, search)}
    )
    select t.id from walked t ${contactJoinSql(sql, search)}
      cross join lateral (select 1 from message m where m.ticket_id = t.id and ${messageHitSql(sql, search, false)} limit 1) found
    where t.read_before < ${MOST_READ} order by t.place limit ${most}`
}

/** Tickets of these contacts with a message that holds the words; null when their messages are too many to be read for this. */
export async function findContactTicketsByMessages(
  db: Db,
  search: TicketSearch,
  people: readonly number[],
): Promise<number[] | null> {
  const [row] = await queryWithPlan<{ ids: number[]; whole: boolean }>(db, PLANNED_EACH_TIME, sql =>
    messagesOfContactsSql(sql, search, people),
  )
  return row && (row.whole || row.ids.length >= LIMITS.searchResults) ? row.ids : null
}

/** Nothing here reads further than the fiftieth ticket found: Postgres asks each part only for what the next one needs. */
export function messagesOfContactsSql(sql: postgres.Sql, search: TicketSearch, people: readonly number[]): SqlFragment {
  const inOrder = sql`last_message_at desc nulls last, id desc nulls last`
  return sql`
    with theirs as materialized (${newestTicketsSql(sql, search, people)} limit ${MOST_TICKETS + 1}),
    walked as materialized (
      select t.*, sum(t.message_seq) over (order by t.last_message_at desc nulls last, t.id desc nulls last) as read_after
      from theirs t
    ), found as materialized (
      select t.id, t.last_message_at from walked t ${contactJoinSql(sql, search)}
        cross join lateral (select 1 from message m where m.ticket_id = t.id and ${messageHitSql(sql, search, false)} limit 1) said
      where t.read_after - t.message_seq < ${MOST_READ}
      order by t.last_message_at desc nulls last, t.id desc nulls last limit ${LIMITS.searchResults}
    )
    select coalesce((select array_agg(id order by ${inOrder}) from found), '{}') as ids,
      case when (select count(*) from found) >= ${LIMITS.searchResults} then true
        else (select count(*) from theirs) <= ${MOST_TICKETS} and (select coalesce(max(read_after), 0) <= ${MOST_READ} from walked)
      end as whole`
}

/** Tickets of these contacts that the other filters leave. */
export async function findContactTickets(
  db: Db,
  search: TicketSearch,
  people: readonly number[],
  most: number = LIMITS.searchResults,
): Promise<number[]> {
  return readIds(
    queryWithPlan<Row>(
      db,
      PLANNED_EACH_TIME,
      sql => sql`select t.id from (${newestTicketsSql(sql, search, people)} limit ${most}) t`,
    ),
  )
}

/**
 * The tickets of these contacts that are visible and chosen, in the order of the lists, from an index alone. That the contacts fit
 * is known already.
 */
function newestTicketsSql(sql: postgres.Sql, search: TicketSearch, people: readonly number[]): SqlFragment {
  return sql`select t.id, t.contact_id, t.last_message_at, t.message_seq from ticket t
    where t.contact_id = any(${[...people]}::int[]) and ${searchFilterSql(sql, { ...search, contact: null, tagIds: null })}
    order by t.last_message_at desc nulls last, t.id desc nulls last`
}

/** Those of the tickets that the filters leave, and where a text is sought, whose contact is called so. */
export async function filterTickets(
  db: Db,
  search: TicketSearch,
  ids: readonly number[],
  most: number,
): Promise<number[]> {
  const sql = getSql(db)
  return readIds(sql<Row[]>`
    select t.id from ${these(sql, ids)} ${search.text ? contactRowSql(sql) : contactJoinSql(sql, search)}
    where ${search.text ? contactNameSql(sql, search.text) : sql`true`} ${chosenFiltersSql(sql, search)} order by w.place limit ${most}`)
}

/** What the person follows of the chosen lists and queues, newest activity first. */
export async function findFollowedTickets(db: Db, search: TicketSearch): Promise<number[]> {
  const sql = getSql(db)
  // Most people follow nothing at the moment, and a statement on tickets is dear to plan.
  const followed = await readIds(
    sql<Row[]>`select ticket_id as id from ticket_follower where user_id = ${search.session.viewer.id}`,
  )
  if (followed.length === 0) return []
  return readIds(sql<Row[]>`
    select t.id from ticket t
    where t.id = any(${followed}::int[]) and ${chosenListsSql(sql, search)} ${chosenQueuesSql(sql, search.choice)}
    order by t.last_message_at desc nulls last, t.id desc nulls last`)
}

/** Two finds as one, in the order of the lists. */
export async function mergeNewest(
  db: Db,
  some: readonly number[],
  others: readonly number[],
): Promise<readonly number[]> {
  if (others.length === 0) return some
  return readIds(getSql(db)<Row[]>`
    select t.id from ticket t where t.id = any(${[...some, ...others]}::int[])
    order by t.last_message_at desc nulls last, t.id desc nulls last limit ${LIMITS.searchResults}`)
}

/** Given tickets `t`, each looked up, with their `w.place`. */
function these(sql: postgres.Sql, ids: readonly number[]): SqlFragment {
  return sql`unnest(${[...ids]}::int[]) with ordinality as w(id, place)
    cross join lateral (select * from ticket where id = w.id limit 1) t`
}

/** The last of the tickets whose messages `filterTicketsByMessages` reads, and the how many-th it is. */
export async function findLastRead(
  db: Db,
  ids: readonly number[],
): Promise<{ readonly place: number; readonly id: number; readonly at: string } | null> {
  const sql = getSql(db)
  const [last] = await sql<{ place: number; id: number; at: string }[]>`
    select place::int as place, id, at from (
      select w.place, t.id, t.last_message_at as at, sum(t.message_seq) over (order by w.place) - t.message_seq as read_before from ${these(sql, ids)}
    ) walked where read_before < ${MOST_READ} order by walked.place desc limit 1`
  return last ?? null
}

interface Row {
  id: number
}

async function readIds(rows: PromiseLike<readonly Row[]>): Promise<number[]> {
  return (await rows).map(row => row.id)
}
