// Days, instants, spans of time and means as a report shows them: by the company's clocks, in the reader's language.
import type { Language } from '@balcao/contract'
import { isoDay, slashedIsoDay, timeText, twoDigits as two, wallClockAt } from '@balcao/contract/zoned-time'
import { wordsOf } from './words.ts'

export type Shown = ReturnType<typeof shownIn>

/** What stands where there is nothing. */
export const NONE = '—'

export function shownIn(language: Language, timezone: string) {
  const { locale } = wordsOf(language)
  const numbers = new Intl.NumberFormat(locale)
  const means = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const at = (instant: string) => wallClockAt(new Date(instant), timezone)
  return {
    /** `2026-11-24` */
    dayOf: (instant: string) => isoDay(at(instant)),
    /** `24/11/2026` of `2026-11-24` */
    day: slashedIsoDay,
    /** `14:26` */
    time: (instant: string) => timeText(at(instant)),
    /** `24/11 14:26`, or `24/11/26 14:26` beside instants of other years. */
    instant(instant: string, withYear: boolean) {
      const { year, month, day, hour, minute } = at(instant)
      return `${two(day)}/${two(month)}${withYear ? `/${two(year % 100)}` : ''} ${two(hour)}:${two(minute)}`
    },
    /** As the clocks showed it, for a cell of a sheet. */
    clock: (instant: string) => ({ clock: `${isoDay(at(instant))}T${timeText(at(instant))}:00` }),
    number: (value: number) => numbers.format(value),
    /** A mean of ratings; null of none. */
    mean: (stars: number, ratings: number) => (ratings === 0 ? null : means.format(stars / ratings)),
  }
}

/** `00:03:42`, rounded once; hours are as many as there are. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return NONE
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
}

/** Whole seconds of working milliseconds. */
export function secondsOf(ms: number): number {
  return Math.round(ms / 1000)
}
