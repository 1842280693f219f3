// By which time zone the days are that are shown, and how far others are counted (docs/decisions/0247).
import type { CountingProgress } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { describeCalendar } from './calendar.ts'

/** That of the days that are shown: the company's, but while days of another one are counted. Null: there are none yet. */
export async function findFigureTimezone(db: Db): Promise<string | null> {
  const [shown] = await getSql(db)<{ timezone: string }[]>`select timezone from figure_count where state = 'current'`
  return shown?.timezone ?? null
}

/** What is being counted anew, or is about to be, so that figures are still by the former time zone or opening hours; null: nothing is. */
export async function findRunningCount(db: Db): Promise<CountingProgress | null> {
  const settings = await readSettings(db)
  const [counting] = await getSql(db)<CountingProgress[]>`
    select 'days' as what, c.timezone, least(1, n.counted_to / greatest(coalesce(n.counted_until, (select max(t.id) from ticket t), 0), 1)::float8) as done
      from figure_count n left join figure_count c on c.state = 'current' where n.state = 'counting'
    union all
    select 'times', c.timezone, least(1, k.counted_to / greatest((select max(s.id) from ticket_span s), 1)::float8)
      from figure_calendar k left join figure_count c on c.state = 'current' where k.counted_to is not null
    union all
    select case when k.timezone = ${settings.timezone} then 'times' else 'days' end, c.timezone, 0
      from figure_calendar k left join figure_count c on c.state = 'current' where k.made_from <> ${describeCalendar(settings)}
    limit 1`
  return counting ?? null
}
