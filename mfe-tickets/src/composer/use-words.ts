import type { Ticket } from '@balcao/contract'
import { formatDate, formatTime, useTexts } from '@balcao/ui/i18n'
import { session } from '@balcao/ui/session'
import { useCallback } from 'react'
import type { PlaceholderValues } from './wording.ts'

/** What the words in double braces stand for in a ticket, now; null where there is no ticket. */
export function useWords(ticket: Ticket | null): () => PlaceholderValues | null {
  const t = useTexts('tickets')
  return useCallback(() => {
    if (!ticket) return null
    const now = new Date()
    return {
      name: ticket.contact.name,
      number: ticket.contact.number ?? '',
      queue: ticket.queue?.name ?? '',
      user: session.user?.name ?? '',
      date: formatDate(now),
      time: formatTime(now),
      hour: Number(formatTime(now).slice(0, 2)),
      greetings: { morning: t('greeting.morning'), afternoon: t('greeting.afternoon'), night: t('greeting.night') },
    }
  }, [ticket, t])
}
