// Days, instants, spans of time and means as a report shows them: by the company's clocks, in the reader's language.
import type { Language } from '@balcao/contract'
import {
  formatIsoDay,
  formatTimeOfDay,
  reformatIsoDay,
  toWallClock,
  padTwoDigits as two,
} from '@balcao/contract/calendar/zoned-time'
import { getReportWords } from './words.ts'

export type ReportFormatter = ReturnType<typeof createFormatter>

/** What stands where there is nothing. */
export const NONE = '—'

export function createFormatter(language: Language, timezone: string) {
  const { locale } = getReportWords(language)
  const numbers = new Intl.NumberFormat(locale)
  const meanFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const at = (instant: string) => toWallClock(new Date(instant), timezone)
  return {
    /** `2026-11-24` */
    dayOf: (instant: string) => formatIsoDay(at(instant)),
    /** `24/11/2026` of `2026-11-24` */
    day: reformatIsoDay,
    /** `14:26` */
    time: (instant: string) => formatTimeOfDay(at(instant)),
    /** `24/11 14:26`, or `24/11/26 14:26` beside instants of other years. */
    instant(instant: string, withYear: boolean) {
      const { year, month, day, hour, minute } = at(instant)
      return `${two(day)}/${two(month)}${withYear ? `/${two(year % 100)}` : ''} ${two(hour)}:${two(minute)}`
    },
    /** As the clocks showed it, for a cell of a sheet. */
    clock: (instant: string) => ({ clock: `${formatIsoDay(at(instant))}T${formatTimeOfDay(at(instant))}:00` }),
    number: (value: number) => numbers.format(value),
    /** A mean of ratings; null of none. */
    mean: (stars: number, ratings: number) => (ratings === 0 ? null : meanFormat.format(stars / ratings)),
  }
}

/** `00:03:42`, rounded once; hours are as many as there are. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return NONE
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
}

/** Whole seconds of working milliseconds. */
export function toSeconds(ms: number): number {
  return Math.round(ms / 1000)
}
