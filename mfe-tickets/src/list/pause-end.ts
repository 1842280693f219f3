// When a paused conversation comes back, in words: 'volta 15:30', 'volta amanhã 09:00', 'volta 12/12/2026 09:00'.
import type { Ticket } from '@balcao/contract'
import { formatMoment, formatTime, type Texts, toCompanyDay } from '@balcao/ui/i18n'

const DAY_MS = 86_400_000

/** Null where nothing ends its pause but a person. */
export function describePauseEnd({ pauseUntil }: Pick<Ticket, 'pauseUntil'>, t: Texts, now: Date): string | null {
  if (pauseUntil === null || pauseUntil === undefined) return null
  if (pauseUntil === 'answer') return t('pauseEnd.answer')
  const day = toCompanyDay(pauseUntil)
  if (day === toCompanyDay(now)) return t('pauseEnd.at', { when: formatTime(pauseUntil) })
  if (day === toCompanyDay(new Date(now.getTime() + DAY_MS)))
    return t('pauseEnd.tomorrow', { when: formatTime(pauseUntil) })
  return t('pauseEnd.at', { when: formatMoment(pauseUntil) })
}
