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

/** Tickets with a message that holds the words; null where more than `most` messages do. */
export async function findTicketsByMessages(db: Db, search: TicketSearch, most: number): Promise<number[] | null> {
  const [row] = await queryWithPlan<{ ids: number[]; messages: number }>(db, PLANNED_EACH_TIME, sql =>
    messageIndexSql(sql, search, most),
  )
  return row && row.messages <= most ? row.ids : null
}

/**
 * A message has the contact of its ticket; with both, what is asked of the ticket stands in an index. Each ticket is looked up there: a plan
 * that expects six times as many as there are would read all tickets instead.
 */
export function messageIndexSql(sql: postgres.Sql, search: TicketSearch, most: number): SqlFragment {
  const contact = search.text && search.message ? sql`join contact c on c.id = m.contact_id` : sql``
  return sql`
    with hits as materialized (
      select m.ticket_id, m.contact_id from message m ${contact} where ${messageHitSql(sql, search, true)} limit ${most + 1}
    ), said as materialized (select distinct ticket_id, contact_id from hits)
    select (select count(*)::int from hits) as messages, coalesce(array(
      select t.id from said cross join lateral (
        select t.id, t.last_message_at from ticket t ${contactJoinSql(sql, search)}
        where t.id = said.ticket_id and t.contact_id = said.contact_id and ${searchFilterSql(sql, search)} limit 1
      ) t order by t.last_message_at desc nulls last, t.id desc nulls last limit ${LIMITS.searchResults}), '{}') as ids`
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
  { contact, tagIds }: Pick<TicketSearch, 'contact' | 'tagIds'>,
  few: number,
): Promise<number[] | null> {
  if (!contact && !tagIds) return null
  const people = await queryWithPlan<{ id: number }>(
    db,
    PLANNED_EACH_TIME,
    sql => sql`
      select p.id from (${contact ? namedContactsSql(sql, contact) : sql`select distinct contact_id as id from contact_tag where tag_id = any(${[...(tagIds ?? [])]}::int[])`}) p
      ${contact && tagIds ? sql`where exists (select 1 from contact_tag g where g.contact_id = p.id and g.tag_id = any(${[...tagIds]}::int[]))` : sql``}
      limit ${few + 1}`,
  )
  return people.length > few ? null : people.map(row => row.id)
}

/** Contacts whose name, or any number they were ever known by, holds the words. */
export function namedContactsSql(sql: postgres.Sql, words: readonly string[]): SqlFragment {
  const digits = extractDigits(words)
  const byName = sql`select c.id from contact c where ${containsWordsSql(sql, sql`c.search_name`, words)}`
  return digits === null
    ? byName
    : sql`${byName} union select i.contact_id as id from contact_identity i where i.value like ${toLikePattern(digits)}`
}
