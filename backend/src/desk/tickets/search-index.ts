// Finding tickets from what they hold: by the trigrams of messages, names and numbers. Planned for the words at hand each time,
// because what is best for a rare word is wrong for a common one.

import { LIMITS } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql, queryWithPlan } from '../../platform/database/raw.ts'
import { toLikePattern } from '../../platform/http/paging.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import {
  contactJoinSql,
  containsWordsSql,
  extractDigits,
  messageHitSql,
  PLANNED_EACH_TIME,
  searchFilterSql,
  type TicketSearch,
} from './search-conditions.ts'

/** Up to so many contacts, their tickets are read instead of an index of all messages. */
const FEW_PEOPLE = 2000

/** Tickets with a message that holds the words. */
export function findTicketsByMessages(db: Db, search: TicketSearch, few: boolean): Promise<number[]> {
  return planned(db, sql => messageIndexSql(sql, search, few))
}

/** Tickets of contacts with such a name or number. */
export function findTicketsByNames(db: Db, search: TicketSearch, words: readonly string[]): Promise<number[]> {
  return planned(db, sql => nameIndexSql(sql, search, words))
}

/**
 * A message has the contact of its ticket; with both, what is asked of the ticket stands in an index. Of `few` messages each ticket is
 * looked up there: one that expects six times as many as there are would read all tickets instead.
 */
export function messageIndexSql(sql: postgres.Sql, search: TicketSearch, few: boolean): SqlFragment {
  const contact = search.text && search.message ? sql`join contact c on c.id = m.contact_id` : sql``
  return sql`
    with said as materialized (
      select distinct m.ticket_id, m.contact_id from message m ${contact} where ${messageHitSql(sql, search, true)}
    )
    select t.id from said cross join lateral (
      select t.id, t.last_message_at from ticket t ${contactJoinSql(sql, search)}
      where t.id = said.ticket_id and t.contact_id = said.contact_id and ${searchFilterSql(sql, search)} ${few ? sql`limit 1` : sql``}
    ) t ${inOrder(sql, LIMITS.searchResults)}`
}

export function nameIndexSql(sql: postgres.Sql, search: TicketSearch, words: readonly string[]): SqlFragment {
  return sql`
    with called as materialized (${called(sql, words)})
    select t.id from called join ticket t on t.contact_id = called.id ${contactJoinSql(sql, search)}
    where ${searchFilterSql(sql, search)} ${inOrder(sql, LIMITS.searchResults)}`
}

/** Tickets that the filters leave. */
export function findTicketsByFilters(db: Db, search: TicketSearch): Promise<number[]> {
  return planned(
    db,
    sql => sql`
      select t.id from ticket t ${contactJoinSql(sql, search)}
      where ${searchFilterSql(sql, search)} ${inOrder(sql, LIMITS.searchResults)}`,
  )
}

/** About how many messages hold the words, by the statistics of Postgres: asked in half a millisecond, and only roughly true. */
export async function estimateMessageCount(db: Db, { words }: TicketSearch): Promise<number> {
  const sql = getSql(db)
  const [row] = await sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]>`
    explain (format json) select from message m where ${containsWordsSql(sql, sql`m.search_text`, words)}`
  return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? Number.POSITIVE_INFINITY
}

/** The contacts that the filters leave, where those are few; null where they are more than that, or any. */
export async function findFewContacts(
  db: Db,
  { contact, tagIds }: TicketSearch,
  few = FEW_PEOPLE,
): Promise<number[] | null> {
  if (!contact && !tagIds) return null
  const people = await planned(
    db,
    sql => sql`
      select p.id from (${contact ? called(sql, contact) : sql`select distinct contact_id as id from contact_tag where tag_id = any(${[...(tagIds ?? [])]}::int[])`}) p
      ${contact && tagIds ? sql`where exists (select 1 from contact_tag g where g.contact_id = p.id and g.tag_id = any(${[...tagIds]}::int[]))` : sql``}
      limit ${few + 1}`,
  )
  return people.length > few ? null : people
}

/** Contacts whose name, or any number they were ever known by, holds the words. */
function called(sql: postgres.Sql, words: readonly string[]): SqlFragment {
  const digits = extractDigits(words)
  const byName = sql`select c.id from contact c where ${containsWordsSql(sql, sql`c.search_name`, words)}`
  return digits === null
    ? byName
    : sql`${byName} union select i.contact_id as id from contact_identity i where i.value like ${toLikePattern(digits)}`
}

function inOrder(sql: postgres.Sql, most: number): SqlFragment {
  return sql`order by t.last_message_at desc nulls last, t.id desc nulls last limit ${most}`
}

async function planned(db: Db, query: (sql: postgres.Sql) => SqlFragment): Promise<number[]> {
  return (await queryWithPlan<{ id: number }>(db, PLANNED_EACH_TIME, query)).map(row => row.id)
}
