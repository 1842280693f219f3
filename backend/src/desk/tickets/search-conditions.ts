// What a search asks, and its conditions in SQL.
import { parseSearchWords } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toLikePattern } from '../../platform/http/paging.ts'
import { followedTicketsSql, type SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { listChoiceSql } from './list.ts'
import type { ListChoice } from './list-branches.ts'

/** Words are folded already; null: not asked for. */
export interface TicketSearch {
  readonly session: Session
  readonly choice: ListChoice
  /** No status was chosen: tickets of all. */
  readonly anyKind: boolean
  /** In a contact's name or number, or in a message. */
  readonly text: readonly string[] | null
  /** In a message. */
  readonly message: readonly string[] | null
  /** In a contact's name or number. */
  readonly contact: readonly string[] | null
  /** What a message must hold to be a hit: `message`, without it `text`. */
  readonly words: readonly string[]
  readonly userIds: readonly number[] | null
  readonly tagIds: readonly number[] | null
}

/** Visible, of the chosen lists and queues, and what else was chosen. `t` is the ticket, `c` its contact. */
export function searchFilterSql(sql: postgres.Sql, search: TicketSearch): SqlFragment {
  const { session, choice } = search
  const followed = sql`${followedTicketsSql(sql, session.viewer)} ${chosenQueuesSql(sql, choice)}`
  return sql`((${listChoiceSql(sql, session, choice, 't')}) or (${followed}))
    and ${chosenListsSql(sql, search)} ${chosenFiltersSql(sql, search)}`
}

export function chosenListsSql(sql: postgres.Sql, { anyKind, choice }: TicketSearch): SqlFragment {
  const kinds = choice.kinds.map(kind => `${kind.status}:${kind.isGroup}`)
  return anyKind ? sql`true` : sql`t.status || ':' || t.is_group::text = any(${kinds}::text[])`
}

/** Begins with `and` where there is something. */
export function chosenQueuesSql(sql: postgres.Sql, { queueIds }: ListChoice): SqlFragment {
  return queueIds ? sql`and t.queue_id = any(${[...queueIds]}::int[])` : sql``
}

/**
 * What was chosen besides the list and its queues; begins with `and` where there is something. A tag is looked up for each ticket: as a
 * condition of a join all of its contacts may be read, depending on what a sample of them was.
 */
export function chosenFiltersSql(sql: postgres.Sql, { userIds, tagIds, contact }: TicketSearch): SqlFragment {
  return sql`
    ${userIds ? sql`and t.user_id = any(${[...userIds]}::int[])` : sql``}
    ${tagIds ? sql`and (select true from contact_tag g where g.contact_id = t.contact_id and g.tag_id = any(${[...tagIds]}::int[]) limit 1)` : sql``}
    ${contact ? sql`and ${contactNameSql(sql, contact)}` : sql``}`
}

/** Brings the contact `c` of a ticket `t` to where a condition asks for its name. */
export function contactJoinSql(sql: postgres.Sql, { contact, text, message }: TicketSearch): SqlFragment {
  return contact || (text && message) ? contactRowSql(sql) : sql``
}

/**
 * The contact `c` of each ticket `t`, one by one. `limit 1` keeps it so: as a join, a plan that knows nothing of the words may begin at
 * the contacts and compare every one that is called so with every ticket.
 */
export function contactRowSql(sql: postgres.Sql): SqlFragment {
  return sql`cross join lateral (select * from contact where id = t.contact_id limit 1) c`
}

/** The contact `c` has a name, or was ever known by a number, that holds the words. */
export function contactNameSql(sql: postgres.Sql, words: readonly string[]): SqlFragment {
  const digits = extractDigits(words)
  const byName = containsWordsSql(sql, sql`c.search_name`, words)
  if (digits === null) return byName
  return sql`(${byName} or exists
    (select 1 from contact_identity i where i.contact_id = c.id and i.value like ${toLikePattern(digits)}))`
}

/** The words of a search as the database folds them: asked once, so that no row has to. */
export async function foldSearchWords(db: Db, search: string): Promise<readonly string[]> {
  const rows = await getSql(db)<{ word: string }[]>`
    select f_norm(w.word) as word from unnest(${parseSearchWords(search)}::text[]) with ordinality as w(word, n) order by w.n`
  return rows.map(row => row.word)
}

/** So many words are looked up in an index; more are compared. There are no more statements than that, however long a search is. */
const INDEXED_WORDS = 4

/** A text holds every word. */
export function containsWordsSql(sql: postgres.Sql, text: SqlFragment, words: readonly string[]): SqlFragment {
  const patterns = words.map(toLikePattern)
  const further = patterns.slice(INDEXED_WORDS)
  const [first, ...rest] = [
    ...patterns.slice(0, INDEXED_WORDS).map(pattern => sql`${text} like ${pattern}`),
    ...(further.length > 0 ? [sql`${text} like all(${further}::text[])`] : []),
  ]
  return first ? sql`(${rest.reduce((all, each) => sql`${all} and ${each}`, first)})` : sql`true`
}

/**
 * A message `m` that counts as a hit. `byIndex` lets the trigrams find it; without, no plan can go there for each single ticket,
 * which costs more than reading the ticket.
 */
export function messageHitSql(
  sql: postgres.Sql,
  { words, text, message }: TicketSearch,
  byIndex: boolean,
): SqlFragment {
  const body = byIndex ? sql`m.search_text` : sql`(m.search_text || '')`
  const saying = containsWordsSql(sql, body, words)
  return text && message
    ? sql`${saying} and (${contactNameSql(sql, text)} or ${containsWordsSql(sql, sql`(m.search_text || '')`, text)})`
    : saying
}

/** The digits of what is a number however it is written, for example '(31) 99876-'. */
export function extractDigits(words: readonly string[]): string | null {
  const digits = words.join('').replace(/[\s()+.-]/g, '')
  return /^\d{3,}$/.test(digits) ? digits : null
}

/** Planned for the very words and people it is about; compiling such a statement takes longer than running it. */
export const PLANNED_EACH_TIME = (sql: postgres.Sql) =>
  sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)`
