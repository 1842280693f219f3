// The daily sums of a period, as every figure asks them: folded days and what came since.
import { formatIsoDay, toWallClock } from '@balcao/contract'
import type postgres from 'postgres'
import { createFieldError } from '../../platform/http/errors.ts'
import { parseDateBound } from '../../policy/calendar/days.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

export interface Period {
  /** `YYYY-MM-DD`, both included. */
  readonly first: string
  readonly last: string
  /** The instants in which they begin and end. */
  readonly from: string
  readonly until: string
}

/** Days of the company's zone, the current month where none are named. Throws `ERR_VALIDATION` at the fields, which `at` names. */
export function resolvePeriod(
  { firstDate, lastDate }: { readonly firstDate?: string | undefined; readonly lastDate?: string | undefined },
  timezone: string,
  now: Date,
  at = { firstDate: 'firstDate', lastDate: 'lastDate' },
): Period {
  const today = formatIsoDay(toWallClock(now, timezone))
  const first = firstDate?.slice(0, 10) ?? `${today.slice(0, 8)}01`
  const last = lastDate?.slice(0, 10) ?? today
  const [from, until] = [
    parseDateBound(at.firstDate, first, 0, timezone),
    parseDateBound(at.lastDate, last, 1, timezone),
  ]
  if (from >= until) throw createFieldError(at.lastDate, 'report.backwards')
  return { first, last, from, until }
}

export interface FigureFilter {
  readonly queueId?: number | undefined
  readonly userId?: number | undefined
}

/** The conditions of the dashboard's filters on a row with `queue_id` and `user_id`. */
export function figureFilterSql(sql: postgres.Sql, { queueId, userId }: FigureFilter, row: string): Fragment {
  return sql`
    ${queueId === undefined ? sql`` : sql`and ${sql(row)}.queue_id = ${queueId}`}
    ${userId === undefined ? sql`` : sql`and ${sql(row)}.user_id = ${userId}`}`
}

/** The days that are shown: others may be counted. */
export function currentFiguresSql(sql: postgres.Sql): Fragment {
  return sql`(select g.id from figure_count g where g.state = 'current')`
}

/** Rows of sums of these days, to be summed, or grouped by what is said; `hours` and `hour` are of what was opened. Changes have no `rates`: each is of one rating. */
export function figureSumsSql(
  sql: postgres.Sql,
  { first, last }: Pick<Period, 'first' | 'last'>,
  { whatsappId, ...chosen }: FigureFilter & { readonly whatsappId?: number | undefined },
  by: 'queue' | 'user' | 'both' | null = null,
): Fragment {
  const isConnection = whatsappId === undefined ? sql`` : sql`and f.whatsapp_id = ${whatsappId}`
  const wanted = sql`f.generation = ${currentFiguresSql(sql)} and f.day between ${first}::date and ${last}::date ${figureFilterSql(sql, chosen, 'f')} ${isConnection}`
  const sums = sql`f.day, f.queue_id, f.user_id, f.opened, f.closed, f.waits, f.wait_ms, f.services, f.service_ms, f.ratings, f.stars,
    f.asked, f.answered`
  // Of one connection the rows of all are not.
  // Said in the statement itself: with parameters Postgres takes a month of a large company for so many rows that it plans each call anew.
  const allQueues = whatsappId === undefined && by !== 'queue' && by !== 'both' && chosen.queueId === undefined
  const allUsers = whatsappId === undefined && by !== 'user' && by !== 'both' && chosen.userId === undefined
  const kind = sql`${allQueues ? sql`f.all_queues` : sql`not f.all_queues`} and ${allUsers ? sql`f.all_users` : sql`not f.all_users`}`
  return sql`
    select ${sums}, f.rates, f.hours, null::smallint as hour from figure_day f
      where ${kind} and ${wanted}
    union all select ${sums}, null::int[] as rates, null::int[] as hours, f.hour from figure_change f where ${wanted}`
}

/** The working milliseconds that a ticket `t` has waited so far, where it was never accepted; null otherwise, and until there is a calendar. */
export function waitingTimeSql(sql: postgres.Sql): Fragment {
  return sql`(select (sum(coalesce(s.ended_work, work_at(now())) - s.begun_work) filter (where s.status = 'pending'))::float8
    from ticket_span s where s.ticket_id = t.id having count(*) filter (where s.status = 'open') = 0)`
}

/** Of rows `a` of `ticket_answer`: how many answers there were, and how many of them came until they were due (docs/decisions/0317). */
export function answerCountsSql(sql: postgres.Sql): Fragment {
  return sql`(count(*) filter (where a.kind = 'first'))::int as first,
    (count(*) filter (where a.kind = 'first' and a.at <= a.due_at))::int as "firstInTime",
    (count(*) filter (where a.kind = 'later'))::int as later,
    (count(*) filter (where a.kind = 'later' and a.at <= a.due_at))::int as "laterInTime"`
}

/** How many gave so many stars, of such rows. */
export function ratingCountSql(sql: postgres.Sql, rate: number): Fragment {
  return sql`(coalesce(sum(f.rates[${rate}::int]), 0)
    + coalesce(sum(f.ratings) filter (where f.rates is null and f.stars = f.ratings * ${rate}::int), 0))::int`
}

/** How many messages there were: old ones as they are counted, by days of UTC and the quarters before and after, the newest by their index. */
export function messageCountSql(sql: postgres.Sql, { from, until }: Period): Fragment {
  const days = wholeDays(from, until)
  return sql`
    select (select coalesce(sum(f.n), 0) from figure_message_day f where f.day >= ${days.first}::date and f.day < ${days.end}::date)
      + (select coalesce(sum(f.n), 0) from figure_message f where f.quarter >= ${from}::timestamptz and f.quarter < ${days.from}::timestamptz)
      + (select coalesce(sum(f.n), 0) from figure_message f where f.quarter >= ${days.until}::timestamptz and f.quarter < ${until}::timestamptz)
      + (select count(*) from message m where m.at < ${until}::timestamptz
        and m.at >= greatest(${from}::timestamptz, (select u.until from figure_message_until u)))`
}

const DAY_MS = 86_400_000

/** The days of UTC between two instants, and the instants in which those begin and end; where there is none all lies before them. */
function wholeDays(from: string, until: string) {
  const begins = Math.ceil(Date.parse(from) / DAY_MS) * DAY_MS
  const ends = Math.floor(Date.parse(until) / DAY_MS) * DAY_MS
  if (begins >= ends) return { first: from.slice(0, 10), end: from.slice(0, 10), from: until, until }
  const [first, last] = [new Date(begins).toISOString(), new Date(ends).toISOString()]
  return { first: first.slice(0, 10), end: last.slice(0, 10), from: first, until: last }
}

/** Since when the one waits that waits longest, by the clock of the list of those who wait: groups are none of them. */
export function longestWaitSql(sql: postgres.Sql, { queueId, userId }: FigureFilter): Fragment {
  return sql`
    select coalesce(t.answer_since, t.created_at) from ticket t where t.status = 'pending' and not t.is_group
      ${queueId === undefined ? sql`` : sql`and t.queue_id = ${queueId}`} ${userId === undefined ? sql`` : sql`and t.user_id = ${userId}`}
    order by coalesce(t.answer_since, t.created_at) limit 1`
}

/** The mean in whole seconds, rounded once; null of nothing. While another calendar is laid a time may have been stamped by both. */
export function computeMeanSeconds(ms: number, n: number): number | null {
  return n > 0 ? Math.max(0, Math.round(ms / n / 1000)) : null
}
