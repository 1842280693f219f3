// Tickets opened by contact, and who had the most: of a whole month or year an index says it, however many contacts there are.
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { currentFiguresSql, type FigureFilter, figureFilterSql, figureSumsSql, type Period } from './read.ts'
import type { ContactSpan } from './table.ts'

type Fragment = postgres.PendingQuery<postgres.Row[]>

interface Most {
  readonly named: readonly { readonly id: number; readonly name: string; readonly total: number }[]
  /** Of all contacts. */
  readonly all: number
}

/** The four contacts with the most in these days, of two with as many the older. */
export async function findTopContacts(db: Db, period: Period, chosen: FigureFilter): Promise<Most> {
  const sql = getSql(db)
  const [folded] = await sql<{ first: string | null; last: string | null }[]>`
    select min(day)::text as first, max(day)::text as last from figure_day where generation = ${currentFiguresSql(sql)} and all_queues and all_users`
  const parts =
    folded?.first && folded.last ? splitIntoSpans(period, chosen, { first: folded.first, last: folded.last }) : []
  const [part] = parts
  const isOne = parts.length === 1 && part && part.span !== 'day' && part.from === part.to
  const rows = await sql<{ id: number; name: string; total: number; all: number }[]>`
    with changed as materialized (
      select f.contact_id, sum(f.opened)::int as n from figure_change f
      where f.generation = ${currentFiguresSql(sql)} and f.contact_id is not null and f.day between ${period.first}::date and ${period.last}::date ${figureFilterSql(sql, chosen, 'f')}
      group by f.contact_id)
    select c.id, c.name, o.total, (select coalesce(sum(f.opened), 0) from (${figureSumsSql(sql, period, chosen)}) f)::int as all
    from (select t.contact_id, t.total from (${isOne ? mostOfOne(sql, part, chosen) : summed(sql, parts, chosen)}) t
      where t.total > 0 order by t.total desc, t.contact_id ${theFour(sql)}) o join contact c on c.id = o.contact_id
    order by o.total desc, o.contact_id`
  return { named: rows.map(({ id, name, total }) => ({ id, name, total })), all: rows[0]?.all ?? 0 }
}

/** The first of the index, but for those who changed since: they are counted one by one. */
function mostOfOne(sql: postgres.Sql, { span, from }: SpanRange, chosen: FigureFilter): Fragment {
  const here = sql`${spanConditionSql(sql, span)} and o.day = ${from}::date ${figureFilterSql(sql, chosen, 'o')}`
  return sql`
    (select o.contact_id, o.opened as total from figure_contact o
      where ${here} and not exists (select 1 from changed c where c.contact_id = o.contact_id) order by o.opened desc nulls last, o.contact_id ${theFour(sql)})
    union all
    select c.contact_id, c.n + coalesce((select o.opened from figure_contact o where ${here} and o.contact_id = c.contact_id), 0) from changed c`
}

/** Said in the statement itself: a parameter is taken for a tenth of all contacts, and each call planned anew. */
function theFour(sql: postgres.Sql): Fragment {
  return sql`limit 4`
}

function summed(sql: postgres.Sql, parts: readonly SpanRange[], chosen: FigureFilter): Fragment {
  if (parts.length === 0) return sql`select c.contact_id, c.n as total from changed c`
  const rows = parts.map(
    ({ span, from, to }) => sql`
      select o.contact_id, o.opened as n from figure_contact o
      where ${spanConditionSql(sql, span)} and o.day between ${from}::date and ${to}::date ${figureFilterSql(sql, chosen, 'o')}`,
  )
  const union = rows.reduce((all, each) => sql`${all} union all ${each}`)
  return sql`
    select u.contact_id, sum(u.n)::int as total from (${union} union all select c.contact_id, c.n from changed c) u group by u.contact_id`
}

/** Said in the statement itself: Postgres takes the indexes of one span only where it sees which. */
function spanConditionSql(sql: postgres.Sql, span: ContactSpan): Fragment {
  const shown = sql`o.generation = ${currentFiguresSql(sql)}`
  if (span === 'year') return sql`${shown} and o.span = 'year'`
  if (span === 'month') return sql`${shown} and o.span = 'month'`
  if (span === 'month of queue') return sql`${shown} and o.span = 'month of queue'`
  if (span === 'month of user') return sql`${shown} and o.span = 'month of user'`
  return sql`${shown} and o.span = 'day'`
}

interface Days {
  /** `YYYY-MM-DD`, both included. */
  readonly first: string
  readonly last: string
}

/** Spans one after the other, by their first days. */
export interface SpanRange {
  readonly span: ContactSpan
  readonly from: string
  readonly to: string
}

/**
 * The sums that a period is made of, as few as can be. A month counts as whole when no day of `folded` is missing of it: so does the
 * running one up to today, and the first one from the first ticket on.
 */
export function splitIntoSpans({ first, last }: Days, { queueId, userId }: FigureFilter, folded: Days): SpanRange[] {
  const wholes: readonly (readonly [ContactSpan, 4 | 7])[] =
    queueId !== undefined && userId !== undefined
      ? []
      : queueId !== undefined
        ? [['month of queue', 7]]
        : userId !== undefined
          ? [['month of user', 7]]
          : [
              ['year', 4],
              ['month', 7],
            ]
  const end = last < folded.last ? last : folded.last
  const parts: SpanRange[] = []
  for (let day = later(first, folded.first); day <= end; ) {
    const whole = wholes.find(([, digits]) => {
      const { begins, ends } = around(day, digits)
      return day === later(begins, folded.first) && (last >= ends || last >= folded.last)
    })
    const { begins, ends } = whole ? around(day, whole[1]) : { begins: day, ends: day }
    const span = whole?.[0] ?? 'day'
    const before = parts.at(-1)
    if (before?.span === span) parts[parts.length - 1] = { ...before, to: begins }
    else parts.push({ span, from: begins, to: begins })
    day = dayAfter(ends)
  }
  return parts
}

/** The first and last day of the year or month of a day: what its first four or seven characters say. */
function around(day: string, digits: 4 | 7): { readonly begins: string; readonly ends: string } {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const after = digits === 4 ? new Date(Date.UTC(year + 1, 0, 0)) : new Date(Date.UTC(year, month, 0))
  return { begins: digits === 4 ? `${day.slice(0, 4)}-01-01` : `${day.slice(0, 7)}-01`, ends: toDayText(after) }
}

function dayAfter(day: string): string {
  return toDayText(new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000))
}

function toDayText(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function later(one: string, other: string): string {
  return one > other ? one : other
}
