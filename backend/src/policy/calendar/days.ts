// Days and instants as a query says them, as bounds of a search.
import { isDay, toInstant } from '@balcao/contract'
import { createFieldError } from '../../platform/http/errors.ts'

/** A day or an instant as a bound; a day counts whole, by the company's clocks. Throws `ERR_VALIDATION` for what is none. */
export function parseDateBound(path: string, text: string, daysLater: 0 | 1, timezone: string): string {
  const instant = parseDay(text, daysLater, timezone) ?? new Date(text)
  const year = instant.getUTCFullYear()
  // Postgres knows no year 0, and writes later ones than 9999 in another way.
  if (!(year >= 1 && year <= 9999)) throw createFieldError(path, 'call.date')
  return instant.toISOString()
}

/** Null: it does not look like a day. One that looks so and is none is no instant either. */
function parseDay(text: string, daysLater: 0 | 1, timezone: string): Date | null {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!found) return null
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number)
  if (!isDay(year, month, day)) return new Date(Number.NaN)
  return toInstant({ year, month, day: day + daysLater, hour: 0, minute: 0 }, timezone)
}
