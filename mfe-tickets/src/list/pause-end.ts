// When a paused conversation comes back, in words: 'volta 15:30', 'volta amanhã 09:00', 'volta 12/12/2026 09:00'; or that it has come back.
import type { Ticket } from '@balcao/contract'
import { formatMoment, formatTime, type Texts, toCompanyDay } from '@balcao/ui/i18n'

const DAY_MS = 86_400_000

/** Null where nothing ends its pause but a person. What came back says so until somebody writes: its words are older than its time. */
export function describePauseEnd(
  { pauseUntil, wokenAt }: Pick<Ticket, 'pauseUntil' | 'wokenAt'>,
  t: Texts,
  now: Date,
): string | null {
  if (wokenAt) return t('pauseEnd.over')
  if (pauseUntil === null || pauseUntil === undefined) return null
  if (pauseUntil === 'answer') return t('pauseEnd.answer')
  const day = toCompanyDay(pauseUntil)
  if (day === toCompanyDay(now)) return t('pauseEnd.at', { when: formatTime(pauseUntil) })
  if (day === toCompanyDay(new Date(now.getTime() + DAY_MS)))
    return t('pauseEnd.tomorrow', { when: formatTime(pauseUntil) })
  return t('pauseEnd.at', { when: formatMoment(pauseUntil) })
}
