// Wall clocks of a time zone and the instants they stand for, without a library: Intl knows the zones on both sides.

/** A day and minute as a clock on the wall shows them. `month` from 1. */
export interface WallClock {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const DAY_MS = 86_400_000
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Whether a text is the name of a time zone. */
export function isTimezone(name: string): boolean {
  try {
    return getFormatter(name) !== undefined
  } catch {
    return false
  }
}

/** What the clocks of a zone show at an instant. */
export function toWallClock(instant: Date, timezone: string): WallClock {
  return toUtcWallClock(instant.getTime() + getOffset(instant.getTime(), timezone))
}

/** The clock that has gone so many ms since it showed the first of January 1970, and was never put. */
export function toUtcWallClock(ms: number): WallClock {
  const at = new Date(ms)
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()]
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate(), hour, minute }
}

/**
 * The instant at which the clocks of a zone show this. Where they show it twice it is the first time, or the second if asked; a minute
 * that a clock put forward leaves out is taken as much later as the clock was put. With `second` this is what Postgres takes
 * `at time zone` for (Temporal's disambiguation `later`).
 */
export function toInstant(clock: WallClock, timezone: string, twice: 'first' | 'second' = 'first'): Date {
  const asUtc = toUtc(clock)
  const both = [-DAY_MS, DAY_MS].map(away => asUtc - getOffset(asUtc + away, timezone))
  const shown = both.filter(instant => isShownByClock(instant, clock, timezone))
  return new Date(
    shown.length > 0 && twice === 'first' ? Math.min(...shown) : Math.max(...(shown.length > 0 ? shown : both)),
  )
}

/** `2026-11-24` */
export function formatIsoDay({ year, month, day }: Pick<WallClock, 'year' | 'month' | 'day'>): string {
  return `${String(year).padStart(4, '0')}-${padTwoDigits(month)}-${padTwoDigits(day)}`
}

/** `24/11/2026` */
export function formatSlashedDay({ year, month, day }: Pick<WallClock, 'year' | 'month' | 'day'>): string {
  return `${padTwoDigits(day)}/${padTwoDigits(month)}/${year}`
}

/** `24/11/2026` of `2026-11-24` */
export function reformatIsoDay(day: string): string {
  return day.split('-').reverse().join('/')
}

/** `09:31` */
export function formatTimeOfDay({ hour, minute }: Pick<WallClock, 'hour' | 'minute'>): string {
  return `${padTwoDigits(hour)}:${padTwoDigits(minute)}`
}

/** `07` */
export function padTwoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The minutes since midnight that `HH:mm` stands for. */
export function parseMinutes(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** How many days a month has; `month` from 1. */
export function countDaysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Whether there is such a day; `month` and `day` from 1, years from 1 on, as Postgres has them. */
export function isDay(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= countDaysInMonth(year, month)
}

/** The day of the week of a date, 0 for Sunday. */
export function getWeekday({ year, month, day }: Pick<WallClock, 'year' | 'month' | 'day'>): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

function isShownByClock(instant: number, clock: WallClock, timezone: string): boolean {
  return toUtc(toWallClock(new Date(instant), timezone)) === toUtc(clock)
}

/** How much the clocks of a zone are ahead of UTC, in ms, at an instant. Days without a change are known: asking Intl is dear. */
function getOffset(instant: number, timezone: string): number {
  const day = Math.floor(instant / DAY_MS)
  const [morning, night] = [getOffsetOfDay(day, timezone), getOffsetOfDay(day + 1, timezone)]
  return morning === night ? morning : computeOffset(instant, timezone)
}

const MOST_DAYS = 10_000
/** By zone, what the offset is as a day begins in UTC. */
const offsets = new Map<string, Map<number, number>>()

function getOffsetOfDay(day: number, timezone: string): number {
  const days = offsets.get(timezone) ?? new Map<number, number>()
  if (days.size > MOST_DAYS) days.clear()
  offsets.set(timezone, days)
  const offset = days.get(day) ?? computeOffset(day * DAY_MS, timezone)
  days.set(day, offset)
  return offset
}

function computeOffset(instant: number, timezone: string): number {
  const minute = Math.floor(instant / 60_000) * 60_000
  const parts = getFormatter(timezone).formatToParts(new Date(minute))
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value)
  const shown = {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  }
  return toUtc(shown) - minute
}

function toUtc({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

function getFormatter(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  formatters.set(timezone, made)
  return made
}
