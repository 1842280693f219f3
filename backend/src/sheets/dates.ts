// Days and times as sheets keep them: numbers, counted in days, that a format shows as a date.

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Of those that need no words in the file: days and times, and how the far east writes them. */
const BUILT_IN: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Whether a format shows a number as a day or a time. `code`: its words, where the file has its own. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.some(([first, last]) => id >= first && id <= last)
  const bare = code
    // What stands for itself: in quotes, behind a stroke, as wide as a sign, filled up with one.
    .replace(/"[^"]*"?|\\.|_.|\*./g, '')
    .replace(/General/gi, '')
    // Colours, conditions and countries; `[h]` counts hours.
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replace(/E[+-]/gi, '')
  return /[ymdhseg]/i.test(bare)
}

/** The moment of a number. Null for the day that there never was: sheets count a 29th of February 1900. */
export function dateOf(days: number): Date | null {
  if (days >= 60 && days < 61) return null
  return new Date(Math.round((days > 60 ? days : days + 1) * DAY_MS) + Date.UTC(1899, 11, 30))
}

/** `2026-11-22`, `2026-11-22 08:30`, and `08:30` of what is only a time. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  // What is only a time stands on the first day there is; its seconds are rounded by the way it is kept.
  const text = new Date(Math.round(date.getTime() / MINUTE_MS) * MINUTE_MS).toISOString()
  const [day = '', time] = [text.slice(0, 10), text.slice(11, 16)]
  if (date.getUTCFullYear() < 1901) return time
  return time === '00:00' ? day : `${day} ${time}`
}
