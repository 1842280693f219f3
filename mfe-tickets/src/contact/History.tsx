// Earlier and other tickets of the contact, newest first; a click opens one.
import type { Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError, formatDate, useTexts } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { Button, Chip, ErrorState, QueueDot } from '@balcao/ui/parts'
import { useCallback, useEffect } from 'react'
import { Preview } from '../list/Preview.tsx'
import { usePages } from './use-pages.ts'
import { useSoon } from './use-soon.ts'

interface HistoryProps {
  readonly ticket: Ticket
  readonly open: (ticketId: number) => void
}

export function History({ ticket: now, open }: HistoryProps) {
  const t = useTexts('tickets')
  const { contactId } = now
  const fetch = useCallback(
    async (cursor: string | null) => {
      const page = await api('GET /contacts/:id/tickets', {
        params: { id: contactId },
        query: cursor ? { cursor } : {},
      })
      return { items: page.tickets, nextCursor: page.nextCursor }
    },
    [contactId],
  )
  const { items, hasMore, busy, error, more, again } = usePages(fetch)
  const soon = useSoon(again)
  useEffect(
    () =>
      combineStops(
        live.on('ticket', event => {
          // The open one's own news stand in its header already.
          if (event.action === 'create' && event.ticket.contactId === contactId) soon()
        }),
        live.onReset(soon),
      ),
    [contactId, soon],
  )
  const others = items?.filter(ticket => ticket.id !== now.id)
  return (
    <section className="x-section">
      <h4>{t('drawer.history')}</h4>
      {error !== null && items === null && (
        <ErrorState title={t('drawer.historyFailed')} text={describeError(error)} onRetry={again} />
      )}
      {others?.length === 0 && !hasMore && <p className="m-quiet">{t('drawer.noHistory')}</p>}
      <ul className="x-history">
        {others?.map(ticket => (
          <li key={ticket.id}>
            <button type="button" onClick={() => open(ticket.id)}>
              <span className="x-line">
                {ticket.queue && <QueueDot color={ticket.queue.color} />}
                <span className="x-said" dir="auto">
                  <Preview ticket={ticket} />
                </span>
                <span className="m-quiet">{formatDate(ticket.closedAt ?? ticket.createdAt)}</span>
              </span>
              <span className="x-line">
                <span className="m-quiet x-said" dir="auto">
                  {[t('number', { id: ticket.id }), ticket.user?.name ?? t('drawer.nobody')].join(' · ')}
                </span>
                {ticket.status !== 'closed' && <Chip>{t(`drawer.status.${ticket.status}`)}</Chip>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button busy={busy} onClick={more}>
          {t('drawer.more')}
        </Button>
      )}
    </section>
  )
}
