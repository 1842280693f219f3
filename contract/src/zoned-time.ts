// Wall clocks of a time zone and the instants they stand for, without a library: Intl knows the zones on both sides.

/** A day and minute as a clock on the wall shows them. `month` from 1. */
export interface WallClock {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Whether a text is the name of a time zone. */
export function isTimezone(name: string): boolean {
  try {
    return formatterOf(name) !== undefined
  } catch {
    return false
  }
}

/** What the clocks of a zone show at an instant. */
export function wallClockAt(instant: Date, timezone: string): WallClock {
  const parts = formatterOf(timezone).formatToParts(instant)
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/**
 * The instant at which the clocks of a zone show this. Where they show it twice it is the first time; a minute that a clock
 * put forward leaves out is taken as much later as the clock was put.
 */
export function instantOf(clock: WallClock, timezone: string): Date {
  const asUtc = utcOf(clock)
  const first = asUtc - offsetAt(asUtc - 86_400_000, timezone)
  if (shows(first, clock, timezone)) return new Date(first)
  const second = asUtc - offsetAt(asUtc + 86_400_000, timezone)
  return new Date(shows(second, clock, timezone) ? second : Math.max(first, second))
}

/** The minutes since midnight that `HH:mm` stands for. */
export function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** How many days a month has; `month` from 1. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** The day of the week of a date, 0 for Sunday. */
export function weekdayOf({ year, month, day }: Pick<WallClock, 'year' | 'month' | 'day'>): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

function shows(instant: number, clock: WallClock, timezone: string): boolean {
  return utcOf(wallClockAt(new Date(instant), timezone)) === utcOf(clock)
}

/** How much the clocks of a zone are ahead of UTC, in ms, at an instant. */
function offsetAt(instant: number, timezone: string): number {
  const minute = Math.floor(instant / 60_000) * 60_000
  return utcOf(wallClockAt(new Date(minute), timezone)) - minute
}

function utcOf({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

function formatterOf(timezone: string): Intl.DateTimeFormat {
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
