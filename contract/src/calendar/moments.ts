// The times people mean by a chip: 'em 1 hora', 'hoje 18h', 'amanhã 9h', 'segunda 9h', by the clocks of the company.
import { getWeekday, toInstant, toWallClock, type WallClock } from './zoned-time.ts'

export const MOMENTS = ['inAnHour', 'thisEvening', 'tomorrow', 'monday'] as const
export type MomentName = (typeof MOMENTS)[number]

export interface Moment {
  readonly name: MomentName
  readonly at: Date
}

/** No pause ends later. */
export const MOST_PAUSED_MS = 366 * 86_400_000

const HOUR_MS = 3_600_000
const MONDAY = 1
const MORNING = 9
const EVENING = 18

/** Those of these that lie ahead, each instant once: on a Sunday tomorrow is Monday. */
export function listMoments(names: readonly MomentName[], now: Date, timezone: string): Moment[] {
  const moments = names.map(name => ({ name, at: toMomentInstant(name, now, timezone) }))
  return moments.filter(
    ({ at }, index) => at > now && moments.findIndex(other => other.at.getTime() === at.getTime()) === index,
  )
}

function toMomentInstant(name: MomentName, now: Date, timezone: string): Date {
  const today = toWallClock(now, timezone)
  switch (name) {
    case 'inAnHour':
      return new Date(Math.ceil((now.getTime() + HOUR_MS) / 60_000) * 60_000)
    case 'thisEvening':
      return toInstant(addDays(today, 0, EVENING), timezone)
    case 'tomorrow':
      return toInstant(addDays(today, 1, MORNING), timezone)
    case 'monday':
      return toInstant(addDays(today, (7 + MONDAY - getWeekday(today)) % 7 || 7, MORNING), timezone)
  }
}

/** That hour of a day so many days later; days are counted by the calendar, whatever is done to the clocks meanwhile. */
function addDays({ year, month, day }: WallClock, days: number, hour: number): WallClock {
  const then = new Date(Date.UTC(year, month - 1, day + days))
  return {
    year: then.getUTCFullYear(),
    month: then.getUTCMonth() + 1,
    day: then.getUTCDate(),
    hour,
    minute: 0,
  }
}
