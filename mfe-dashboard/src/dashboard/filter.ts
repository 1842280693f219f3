// What the dashboard counts: a period of whole days in the company's time zone, a queue, a person (spec 1 §2).
import type { QueryParams } from '@balcao/contract'

export interface Filter {
  /** `2026-11-01`, first day. */
  readonly from: string
  /** `2026-11-30`, last day, included. */
  readonly to: string
  readonly queueId: number | null
  readonly userId: number | null
}

export type DateProblem = 'required' | 'reversed'

export type DatePeriod = Pick<Filter, 'from' | 'to'>

/** The first and last day of the month of a day. */
export function getMonth(day: string): DatePeriod {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const start = day.slice(0, 8)
  return { from: `${start}01`, to: `${start}${String(last).padStart(2, '0')}` }
}

/** The last `days` days up to and with a day. */
export function getLastDays(to: string, days: number): DatePeriod {
  return { from: subtractDays(to, days - 1), to }
}

/** The month before a whole month, otherwise as many days right before. */
export function getPreviousPeriod({ from, to }: DatePeriod): DatePeriod {
  if (isWholeMonth({ from, to })) return getMonth(subtractDays(from, 1))
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return getLastDays(subtractDays(from, 1), days)
}

/** Whether a period is one month from its first day to its last. */
export function isWholeMonth({ from, to }: DatePeriod): boolean {
  return isSame(getMonth(from), { from, to })
}

/** The periods that are meant by what day it is, as they are offered. */
export const USUAL = {
  today: (day: string) => getLastDays(day, 1),
  week: (day: string) => getLastDays(day, 7),
  thisMonth: getMonth,
} as const satisfies Record<string, (day: string) => DatePeriod>

/** A period of today, of the last days or of this month when that day is over; any other stays. */
export function advancePeriod<P extends DatePeriod>(period: P, then: string, now: string): P {
  const meant = Object.values(USUAL).find(of => isSame(of(then), period))
  return meant ? { ...period, ...meant(now) } : period
}

function isSame(one: DatePeriod, other: DatePeriod): boolean {
  return one.from === other.from && one.to === other.to
}

function subtractDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000

/** What is wrong with a period, by field. */
export function validateDates({ from, to }: DatePeriod): { from?: DateProblem; to?: DateProblem } {
  if (!isDay(from)) return { from: 'required', ...(isDay(to) ? {} : { to: 'required' }) }
  if (!isDay(to)) return { to: 'required' }
  return to < from ? { to: 'reversed' } : {}
}

/** The filter as the server takes it (spec 1 §7). */
export function toQuery(filter: Filter): QueryParams<'GET /dashboard/stats'> {
  return {
    firstDate: filter.from,
    lastDate: filter.to,
    ...(filter.queueId !== null && { queueId: filter.queueId }),
    ...(filter.userId !== null && { userId: filter.userId }),
  }
}

function isDay(day: string) {
  return /^\d{4}-\d{2}-\d{2}$/.test(day)
}
