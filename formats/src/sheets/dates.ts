// Days and times of sheets as a person would type them.

const MINUTE_MS = 60_000

/** `2026-11-22`, `2026-11-22 08:30`, and `08:30` of what is only a time. */
export function formatSheetDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  // What is only a time stands on the first day there is; its seconds are rounded by the way it is kept.
  const text = new Date(Math.round(date.getTime() / MINUTE_MS) * MINUTE_MS).toISOString()
  const [day = '', time] = [text.slice(0, 10), text.slice(11, 16)]
  if (date.getUTCFullYear() < 1901) return time
  return time === '00:00' ? day : `${day} ${time}`
}
