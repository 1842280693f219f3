// What queues and people add up to in a period. Tickets by status and hour are those opened in it; times and ratings belong to the day,
// queue and person of the acceptance, resolving and rating, as on the dashboard (decisions-2 §23), and are read from the daily sums.
import { TICKET_STATUSES, type TicketStatus } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { visibleRowsSql } from '../../policy/access/report-scope.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { answerCountsSql, figureSumsSql } from '../figures/read.ts'
import { findFigureTimezone } from '../figures/zone.ts'
import { openedTicketsSql, type ReportQuery, ticketFilterSql } from './query.ts'

/** What is summed by. */
export type SumGrouping = 'queue' | 'user'

export interface ServiceTimes {
  waits: number
  waitMs: number
  services: number
  serviceMs: number
  ratings: number
  stars: number
}

/** Answers that had a target, and those of them that came until they were due (docs/decisions/0317). */
export interface AnswerCounts {
  first: number
  firstInTime: number
  later: number
  laterInTime: number
}

/** One queue or person; `id` null: tickets without. */
export interface SumLine extends ServiceTimes, AnswerCounts {
  readonly id: number | null
  readonly name: string
  readonly color: string
  opened: number
  readonly statuses: { [S in TicketStatus]?: number }
  /** Opened in each of the 24 hours of the company's zone. */
  readonly hours: number[]
}

/** The lines by name, those of nothing at the end; `step` is waited for between two statements. */
export async function sumLines(
  db: Db,
  which: ReportQuery,
  by: SumGrouping,
  timezone: string,
  step: () => Promise<void> = async () => {},
): Promise<SumLine[]> {
  const lines = new Map<number | null, SumLine>()
  const named = await (by === 'queue' ? queueNames(db, which) : personNames(db, which))
  const lineOf = (id: number | null) => {
    const known = lines.get(id) ?? {
      ...(named.get(id) ?? { name: '', color: '' }),
      ...NOTHING,
      id,
      statuses: {},
      hours: Array<number>(24).fill(0),
    }
    lines.set(id, known)
    return known
  }
  for (const [id, { always }] of named) if (always) lineOf(id)
  const isByDays = await areDays(db, which, timezone)
  for (const window of await windows(db, which)) {
    await step()
    for (const { id, status, hour, n } of await countOpened(
      db,
      { ...which, period: { ...which.period, ...window } },
      by,
      timezone,
    )) {
      const line = lineOf(id)
      line.opened += n
      line.statuses[status] = (line.statuses[status] ?? 0) + n
      line.hours[hour] = (line.hours[hour] ?? 0) + n
    }
    await addCounts(ANSWERS, countAnswers(db, which, window, by), lineOf)
    if (!isByDays) await addCounts(TIMES, timesOfRows(db, which, window, by), lineOf)
  }
  if (isByDays) await addCounts(TIMES, timesOfDays(db, which, by), lineOf)
  return [...lines.values()].sort((one, other) => order(one, other))
}

const TIMES = ['waits', 'waitMs', 'services', 'serviceMs', 'ratings', 'stars'] as const
const ANSWERS = ['first', 'firstInTime', 'later', 'laterInTime'] as const
const NOTHING = {
  ...{ opened: 0, waits: 0, waitMs: 0, services: 0, serviceMs: 0, ratings: 0, stars: 0 },
  ...{ first: 0, firstInTime: 0, later: 0, laterInTime: 0 },
}

function order(one: SumLine, other: SumLine): number {
  if (one.id === null || other.id === null) return one.id === null ? 1 : -1
  return one.name.localeCompare(other.name) || one.id - other.id
}

/** The daily sums know queue and person, and neither status nor contact; and while those of another time zone are shown, rows are read. */
async function areDays(db: Db, { status, contactId }: ReportQuery, timezone: string): Promise<boolean> {
  return status === '' && contactId === null && (await findFigureTimezone(db)) === timezone
}

type CountName = (typeof TIMES)[number] | (typeof ANSWERS)[number]

async function addCounts<Name extends CountName>(
  names: readonly Name[],
  read: Promise<readonly (Readonly<Record<Name, number>> & { readonly id: number | null })[]>,
  lineOf: (id: number | null) => SumLine,
): Promise<void> {
  for (const row of await read) {
    const line: Record<CountName, number> = lineOf(row.id)
    for (const name of names) line[name] += row[name]
  }
}

interface Window {
  readonly from: string
  readonly until: string
}

const WINDOW_MS = 31 * 86_400_000

/** The period in pieces of a month, so that no statement reads years: from the first thing that happened to the last. */
async function windows(db: Db, { period }: ReportQuery): Promise<Window[]> {
  const [row] = await getSql(db)<{ first: string | null }[]>`select min(created_at) as first from ticket`
  if (!row?.first) return []
  const begin = Math.max(Date.parse(period.from), Date.parse(row.first))
  const end = Math.min(Date.parse(period.until), Date.now() + 86_400_000)
  const found: Window[] = []
  for (let at = begin; at < end; at += WINDOW_MS)
    found.push({ from: new Date(at).toISOString(), until: new Date(Math.min(at + WINDOW_MS, end)).toISOString() })
  return found
}

interface Opened {
  readonly id: number | null
  readonly status: TicketStatus
  readonly hour: number
  readonly n: number
}

async function countOpened(db: Db, which: ReportQuery, by: SumGrouping, timezone: string): Promise<readonly Opened[]> {
  const sql = getSql(db)
  return sql<Opened[]>`
    select ${idSql(sql, 't', by)} as id, t.status, extract(hour from t.created_at at time zone ${timezone})::int as hour, count(*)::int as n
    from ticket t where ${openedTicketsSql(sql, which)} group by 1, 2, 3`
}

async function timesOfDays(
  db: Db,
  which: ReportQuery,
  by: SumGrouping,
): Promise<readonly (ServiceTimes & { readonly id: number | null })[]> {
  const sql = getSql(db)
  const { period, queueId, userId } = which
  const chosen = { queueId: queueId ?? undefined, userId: userId ?? undefined }
  return sql<(ServiceTimes & { id: number | null })[]>`
    select ${idSql(sql, 'f', by)} as id, coalesce(sum(f.waits), 0)::int as waits, coalesce(sum(f.wait_ms), 0)::float8 as "waitMs",
      coalesce(sum(f.services), 0)::int as services, coalesce(sum(f.service_ms), 0)::float8 as "serviceMs",
      coalesce(sum(f.ratings), 0)::int as ratings, coalesce(sum(f.stars), 0)::int as stars
    from (${figureSumsSql(sql, period, chosen, 'both')}) f where ${visibleRowsSql(sql, which, 'f')} group by 1
    having sum(f.waits) > 0 or sum(f.services) > 0 or sum(f.ratings) > 0`
}

/** The same from the rows of some tickets. */
async function timesOfRows(
  db: Db,
  which: ReportQuery,
  window: Window,
  by: SumGrouping,
): Promise<readonly (ServiceTimes & { readonly id: number | null })[]> {
  const sql = getSql(db)
  const when = (row: string) => sql`${happenedSql(sql, row, window)} and ${ofRow(sql, which, row)}`
  return sql<(ServiceTimes & { id: number | null })[]>`
    select id, coalesce(sum(waits), 0)::int as waits, coalesce(sum(wait_ms), 0)::float8 as "waitMs", coalesce(sum(services), 0)::int as services,
      coalesce(sum(service_ms), 0)::float8 as "serviceMs", coalesce(sum(ratings), 0)::int as ratings, coalesce(sum(stars), 0)::int as stars
    from (
      select ${idSql(sql, 'f', by)} as id, (f.kind = 'wait')::int as waits, case f.kind when 'wait' then f.work else 0 end as wait_ms,
        (f.kind = 'service')::int as services, case f.kind when 'service' then f.work else 0 end as service_ms, 0 as ratings, 0 as stars
      from ticket_figure f join ticket t on t.id = f.ticket_id where f.kind in ('wait', 'service') and f.work is not null and ${when('f')}
      union all
      select ${idSql(sql, 'r', by)}, 0, 0, 0, 0, 1, r.rate from rating r join ticket t on t.id = r.ticket_id where ${when('r')}) part
    group by id`
}

/** They belong to the queue and person that had the ticket then. */
async function countAnswers(
  db: Db,
  which: ReportQuery,
  window: Window,
  by: SumGrouping,
): Promise<readonly (AnswerCounts & { readonly id: number | null })[]> {
  const sql = getSql(db)
  return sql<(AnswerCounts & { id: number | null })[]>`
    select ${idSql(sql, 'a', by)} as id, ${answerCountsSql(sql)}
    from ticket_answer a join ticket t on t.id = a.ticket_id
    where ${happenedSql(sql, 'a', window)} and ${ofRow(sql, which, 'a')} group by 1`
}

function happenedSql(sql: postgres.Sql, row: string, { from, until }: Window): SqlFragment {
  return sql`${sql(row)}.at >= ${from}::timestamptz and ${sql(row)}.at < ${until}::timestamptz`
}

/** Of the queue and person it belongs to, of a ticket with the status and contact. */
function ofRow(sql: postgres.Sql, which: ReportQuery, row: string): SqlFragment {
  const { queueId, userId } = which
  return sql`${visibleRowsSql(sql, which, row)} and ${ticketFilterSql(sql, which)}
    ${queueId === null ? sql`` : sql`and ${sql(row)}.queue_id = ${queueId}`} ${userId === null ? sql`` : sql`and ${sql(row)}.user_id = ${userId}`}`
}

function idSql(sql: postgres.Sql, row: string, by: SumGrouping): SqlFragment {
  return by === 'queue' ? sql`${sql(row)}.queue_id` : sql`${sql(row)}.user_id`
}

/** What a line is called; `always`: it has one also without any ticket. */
interface NamedLine {
  readonly name: string
  readonly color: string
  readonly always: boolean
}

async function queueNames(db: Db, { scope, queueId }: ReportQuery): Promise<Map<number | null, NamedLine>> {
  const sql = getSql(db)
  const [present, past] = await Promise.all([
    sql<(NamedLine & { id: number })[]>`
      select q.id, q.name, q.color, coalesce((${scope.profile === 'admin'}::boolean or q.id = any(${scope.queueIds}::int[]))
        and (${queueId}::int is null or q.id = ${queueId}::int), false) as always from queue q`,
    sql<(NamedLine & { id: number })[]>`
      select p.id, p.name, p.color, coalesce(p.id = ${queueId}::int, false) as always from past_queue p`,
  ])
  return new Map([...present, ...past].map(({ id, ...named }) => [id, named]))
}

async function personNames(db: Db, { scope, queueId, userId }: ReportQuery): Promise<Map<number | null, NamedLine>> {
  const sql = getSql(db)
  const rows = await sql<(NamedLine & { id: number })[]>`
    select u.id, u.name, '' as color, coalesce(u.id = ${userId}::int or (${userId}::int is null and u.active and u.deleted_at is null
      and u.id <> 1 and (${scope.profile === 'admin'}::boolean or exists (
        select 1 from user_queue a where a.user_id = u.id and a.queue_id = any(${scope.queueIds}::int[])))
      and (${queueId}::int is null or exists (
        select 1 from user_queue b where b.user_id = u.id and b.queue_id = ${queueId}::int))), false) as always from "user" u`
  return new Map(rows.map(({ id, ...named }) => [id, named]))
}

/** All lines as one. */
export function sumAllLines(lines: readonly SumLine[]): SumLine {
  const total: SumLine = { id: null, name: '', color: '', ...NOTHING, statuses: {}, hours: Array<number>(24).fill(0) }
  for (const line of lines) {
    for (const name of ['opened', ...TIMES, ...ANSWERS] as const) total[name] += line[name]
    for (const [at, n] of line.hours.entries()) total.hours[at] = (total.hours[at] ?? 0) + n
    for (const status of TICKET_STATUSES) {
      const n = line.statuses[status] ?? 0
      if (n > 0) total.statuses[status] = (total.statuses[status] ?? 0) + n
    }
  }
  return total
}
