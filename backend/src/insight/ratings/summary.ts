// What the ratings of a period come to (spec 3 §2 "NPS"; decisions-2 §11, §23), from the daily sums (docs/decisions/0224).
import { countDaysInMonth, formatIsoDay, type QueryParams, type ResponseBody, toWallClock } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toRatingAverage } from '../dashboard/stats.ts'
import { figureFilterSql, figureSumsSql, type Period, ratingCountSql, resolvePeriod } from '../figures/read.ts'
import { findRunningCount } from '../figures/zone.ts'

type Summary = ResponseBody<'GET /ticketNPS/summary'>

export interface RatingFilter {
  readonly queueId?: number | undefined
  readonly userId?: number | undefined
  readonly whatsappId?: number | undefined
}

const MONTHS = 6

/** The mean, how many gave what, how many were asked and answered, and the last months. Throws `ERR_VALIDATION`. */
export async function loadRatingSummary(
  db: Db,
  query: QueryParams<'GET /ticketNPS/summary'>,
  timezone: string,
  now: Date,
): Promise<Summary> {
  const period = resolvePeriod(query, timezone, now)
  const sql = getSql(db)
  const months = lastMonths(period, timezone, now)
  const [{ rates, asked, answered }, waiting, trend, counting] = await Promise.all([
    countRates(sql, period, query),
    stillAsked(sql, period, query),
    loadTrend(sql, months, query),
    findRunningCount(db),
  ])
  const stars = rates.reduce((sum, n, at) => sum + n * (at + 1), 0)
  return {
    rating: toRatingAverage(
      stars,
      rates.reduce((sum, n) => sum + n, 0),
    ),
    rates,
    asked,
    answered,
    waiting: Math.min(waiting, asked - answered),
    trend,
    counting,
  }
}

/** How many gave 1, 2, 3, 4 and 5, how many surveys were sent and how many of those answered. */
export async function countRates(
  sql: postgres.Sql,
  period: Period,
  chosen: RatingFilter,
): Promise<{ rates: number[]; asked: number; answered: number }> {
  const [row] = await sql<{ rates: number[]; asked: number; answered: number }[]>`
    select array[${ratingCountSql(sql, 1)}, ${ratingCountSql(sql, 2)}, ${ratingCountSql(sql, 3)}, ${ratingCountSql(sql, 4)}, ${ratingCountSql(sql, 5)}] as rates,
      coalesce(sum(f.asked), 0)::int as asked, coalesce(sum(f.answered), 0)::int as answered
    from (${figureSumsSql(sql, period, chosen)}) f`
  if (!row) throw new Error('No figures')
  return row
}

/** Surveys of the period that can still be answered: no more than one interval's. */
async function stillAsked(sql: postgres.Sql, { from, until }: Period, chosen: RatingFilter): Promise<number> {
  const { whatsappId } = chosen
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from ticket_span s
    where s.ended_at is null and s.status = 'nps' and s.begun_at >= ${from}::timestamptz and s.begun_at < ${until}::timestamptz
      ${figureFilterSql(sql, chosen, 's')}
      ${
        whatsappId === undefined
          ? sql``
          : sql`and exists (select 1 from ticket t where t.id = s.ticket_id and t.whatsapp_id = ${whatsappId})`
      }`
  return row?.n ?? 0
}

/** `YYYY-MM`, up to that in which the period ends; of the future there is nothing to show. */
function lastMonths({ last }: Period, timezone: string, now: Date): string[] {
  const today = formatIsoDay(toWallClock(now, timezone))
  const [year = 0, month = 0] = (last < today ? last : today).split('-').map(Number)
  // Postgres knows no year 0.
  const end = Math.max(year, 2)
  return Array.from({ length: MONTHS }, (_, nth) => {
    const at = new Date(0)
    at.setUTCFullYear(end, month - MONTHS + nth, 1)
    return at.toISOString().slice(0, 7)
  })
}

async function loadTrend(
  sql: postgres.Sql,
  months: readonly string[],
  chosen: RatingFilter,
): Promise<Summary['trend']> {
  const [first, last] = [`${months.at(0)}-01`, getMonthEnd(months.at(-1) ?? '')]
  const rows = await sql<{ month: string; ratings: number; stars: number }[]>`
    select to_char(f.day, 'YYYY-MM') as month, coalesce(sum(f.ratings), 0)::int as ratings, coalesce(sum(f.stars), 0)::int as stars
    from (${figureSumsSql(sql, { first, last }, chosen)}) f group by 1`
  return months.map(month => {
    const found = rows.find(row => row.month === month)
    return { month, ...toRatingAverage(found?.stars ?? 0, found?.ratings ?? 0) }
  })
}

/** The last day of a month. */
function getMonthEnd(month: string): string {
  const [year = 0, of = 0] = month.split('-').map(Number)
  return `${month}-${countDaysInMonth(year, of)}`
}
