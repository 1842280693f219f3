// What the dashboard counts: a period of whole days in the company's time zone, a queue, a person (spec 1 §2).
import type { QueryOf } from '@balcao/contract'
import { dayOf } from '@balcao/ui/i18n'

export interface Filter {
  /** `2026-11-01`, first day. */
  readonly from: string
  /** `2026-11-30`, last day, included. */
  readonly to: string
  readonly queueId: number | null
  readonly userId: number | null
}

export type DateProblem = 'required' | 'reversed'

/** The first and last day of the month of `now`. */
export function monthOf(now: Date): Pick<Filter, 'from' | 'to'> {
  const [year = 0, month = 1] = dayOf(now).split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const start = dayOf(now).slice(0, 8)
  return { from: `${start}01`, to: `${start}${String(last).padStart(2, '0')}` }
}

/** The last `days` days up to and with the day of `now`. */
export function lastDays(now: Date, days: number): Pick<Filter, 'from' | 'to'> {
  const to = dayOf(now)
  const first = new Date(`${to}T12:00:00Z`)
  first.setUTCDate(first.getUTCDate() - days + 1)
  return { from: first.toISOString().slice(0, 10), to }
}

/** The month before a whole month, otherwise as many days right before. */
export function periodBefore({ from, to }: Pick<Filter, 'from' | 'to'>): Pick<Filter, 'from' | 'to'> {
  if (isWholeMonth({ from, to })) return monthOf(new Date(Date.parse(`${from}T12:00:00Z`) - DAY_MS))
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return lastDays(new Date(Date.parse(`${from}T12:00:00Z`) - DAY_MS), days)
}

/** Whether a period is one month from its first day to its last. */
export function isWholeMonth({ from, to }: Pick<Filter, 'from' | 'to'>): boolean {
  const month = monthOf(new Date(`${from}T12:00:00Z`))
  return month.from === from && month.to === to
}

const DAY_MS = 86_400_000

/** What is wrong with a period, by field. */
export function datesProblems({ from, to }: Pick<Filter, 'from' | 'to'>): { from?: DateProblem; to?: DateProblem } {
  if (!isDay(from)) return { from: 'required', ...(isDay(to) ? {} : { to: 'required' }) }
  if (!isDay(to)) return { to: 'required' }
  return to < from ? { to: 'reversed' } : {}
}

/** The filter as the server takes it (spec 1 §7). */
export function queryOf(filter: Filter): QueryOf<'GET /dashboard/stats'> {
  return {
    firstDate: filter.from,
    lastDate: filter.to,
    ...(filter.queueId !== null && { queueId: filter.queueId }),
    ...(filter.userId !== null && { userId: filter.userId }),
  }
}

/** `01/11/2026` for `2026-11-01`. */
export function dayText(day: string) {
  return day.split('-').reverse().join('/')
}

function isDay(day: string) {
  return /^\d{4}-\d{2}-\d{2}$/.test(day)
}
