// The counters: what is there now from the tally, everything of a period from the daily sums (docs/decisions/0224).
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import {
  computeMeanSeconds,
  figureFilterSql,
  figureSumsSql,
  longestWaitSql,
  ratingCountSql,
  resolvePeriod,
} from '../figures/read.ts'
import { FIRST_HOUR } from '../figures/table.ts'
import { findRunningCount } from '../figures/zone.ts'

type Stats = ResponseBody<'GET /dashboard/stats'>

interface DayRow {
  readonly date: string
  readonly opened: number
  readonly closed: number
  readonly waits: number
  readonly waitMs: number
  readonly services: number
  readonly serviceMs: number
  readonly ratings: number
  readonly stars: number
  readonly hours: number[]
  readonly rates: number[]
}

/** Counters of the whole company, of one queue or person (spec 1 §2 "Dashboard"). Throws `ERR_VALIDATION`. */
export async function loadDashboardStats(
  db: Db,
  query: QueryParams<'GET /dashboard/stats'>,
  timezone: string,
  now: Date,
): Promise<Stats> {
  const period = resolvePeriod(query, timezone, now)
  const sql = getSql(db)
  const [queues, days, [live], counting] = await Promise.all([
    sql<Stats['queues']>`
      select x.queue_id as id, coalesce(q.name, '') as name, coalesce(q.color, '') as color,
        coalesce(sum(x.n) filter (where x.status = 'open'), 0)::int as open,
        coalesce(sum(x.n) filter (where x.status = 'pending'), 0)::int as pending
      from ticket_tally x left join queue q on q.id = x.queue_id
      where x.status in ('open', 'pending') ${figureFilterSql(sql, query, 'x')}
      group by x.queue_id, q.name, q.color, q.custom_order
      having sum(x.n) > 0 order by q.custom_order nulls last, q.name`,
    sql<DayRow[]>`
      select to_char(f.day, 'YYYY-MM-DD') as date, coalesce(sum(f.opened), 0)::int as opened, coalesce(sum(f.closed), 0)::int as closed,
        coalesce(sum(f.waits), 0)::int as waits, coalesce(sum(f.wait_ms), 0)::float8 as "waitMs", coalesce(sum(f.services), 0)::int as services,
        coalesce(sum(f.service_ms), 0)::float8 as "serviceMs", coalesce(sum(f.ratings), 0)::int as ratings, coalesce(sum(f.stars), 0)::int as stars,
        array[${at(sql, 0)}, ${at(sql, 1)}, ${at(sql, 2)}, ${at(sql, 3)}, ${at(sql, 4)}, ${at(sql, 5)},
          ${at(sql, 6)}, ${at(sql, 7)}, ${at(sql, 8)}, ${at(sql, 9)}, ${at(sql, 10)}, ${at(sql, 11)}] as hours,
        array[${ratingCountSql(sql, 1)}, ${ratingCountSql(sql, 2)}, ${ratingCountSql(sql, 3)}, ${ratingCountSql(sql, 4)}, ${ratingCountSql(sql, 5)}] as rates
      from (${figureSumsSql(sql, period, query)}) f group by f.day order by f.day`,
    sql<Pick<Stats, 'paused' | 'bot' | 'nps' | 'openGroups' | 'waitingSince'>[]>`
      select coalesce(sum(y.n) filter (where y.status = 'open' and y.is_group), 0)::int as "openGroups",
        coalesce(sum(y.n) filter (where y.status = 'paused'), 0)::int as paused,
        coalesce(sum(y.n) filter (where y.status = 'bot'), 0)::int as bot,
        coalesce(sum(y.n) filter (where y.status = 'nps'), 0)::int as nps,
        (${longestWaitSql(sql, query)}) as "waitingSince"
      from ticket_tally y where y.status in ('open', 'paused', 'bot', 'nps') ${figureFilterSql(sql, query, 'y')}`,
    findRunningCount(db),
  ])
  const sum = (of: (day: DayRow) => number) => days.reduce((total, day) => total + of(day), 0)
  return {
    open: queues.reduce((total, queue) => total + queue.open, 0),
    pending: queues.reduce((total, queue) => total + queue.pending, 0),
    paused: live?.paused ?? 0,
    bot: live?.bot ?? 0,
    nps: live?.nps ?? 0,
    closed: sum(day => day.closed),
    opened: sum(day => day.opened),
    queues: [...queues],
    hours: Array.from({ length: 12 }, (_, nth) => ({
      hour: FIRST_HOUR + nth,
      tickets: sum(day => day.hours[nth] ?? 0),
    })),
    tme: computeDailyMeans(days.map(day => ({ date: day.date, tickets: day.waits, ms: day.waitMs }))),
    tma: computeDailyMeans(days.map(day => ({ date: day.date, tickets: day.services, ms: day.serviceMs }))),
    tmeSeconds: computeMeanSeconds(
      sum(day => day.waitMs),
      sum(day => day.waits),
    ),
    tmaSeconds: computeMeanSeconds(
      sum(day => day.serviceMs),
      sum(day => day.services),
    ),
    rating: toRatingAverage(
      sum(day => day.stars),
      sum(day => day.ratings),
    ),
    rates: [1, 2, 3, 4, 5].map(rate => sum(day => day.rates[rate - 1] ?? 0)),
    openGroups: live?.openGroups ?? 0,
    waitingSince: live?.waitingSince ?? null,
    counting,
  }
}

/** What was opened in one of the twelve hours. */
function at(sql: postgres.Sql, nth: number) {
  return sql`(coalesce(sum(f.hours[${nth + 1}::int]), 0) + coalesce(sum(f.opened) filter (where f.hour = ${FIRST_HOUR + nth}::int), 0))::int`
}

function computeDailyMeans(
  days: readonly { readonly date: string; readonly tickets: number; readonly ms: number }[],
): Stats['tme'] {
  return days.flatMap(({ date, tickets, ms }) => {
    const seconds = computeMeanSeconds(ms, tickets)
    return seconds === null ? [] : [{ date, seconds, tickets }]
  })
}

export function toRatingAverage(stars: number, count: number): { average: number | null; count: number } {
  return { average: count > 0 ? stars / count : null, count }
}
