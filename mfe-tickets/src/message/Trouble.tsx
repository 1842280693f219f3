// Why a message of ours did not go out, or that nobody knows; and the one thing to do about it (spec 1 §8).
import type { ErrorLog, Message } from '@balcao/contract'
import { getCapabilities, isLinkedDevice } from '@balcao/contract/connections/kinds'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import type { ReactNode } from 'react'
import { isWindowOpen } from '../composer/window.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { useDown } from '../desk/use-downtime.ts'
import { view } from '../desk/view.ts'
import { isServed } from '../tickets/served.ts'
import { useTicket } from '../tickets/use-tickets.ts'
import { useMinute } from '../use-minute.ts'

type Texts = ReturnType<typeof useTexts>

export function Trouble({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  if (message.id < 0 || !message.fromMe || message.isDeleted) return null
  if (message.state === 'queued' || message.state === 'sending') return <Waits ticketId={message.ticketId} />
  if (message.state !== 'failed' && message.state !== 'unknown') return null
  if (message.state === 'unknown') return <p className="m-trouble is-unknown">{t('trouble.unknown')}</p>

  if (message.mediaType !== 'template' && getCapabilities(message.ticket.whatsapp.api).window24h)
    return <TooLate message={message} otherwise={<Again message={message} />} />
  return <Again message={message} />
}

/** Nothing is wrong with it: its connection is down. */
function Waits({ ticketId }: { readonly ticketId: number }) {
  const t = useTexts('tickets')
  const down = useDown(useTicket(ticketId)?.whatsappId ?? 0)
  if (!down) return null
  return (
    <p className="m-trouble is-unknown">
      {t(isLinkedDevice(getCapabilities(down.api)) ? 'down.waits' : 'down.waitsOfficial')}
    </p>
  )
}

/**
 * On the official API a message that failed cannot go again once the 24 hours are over, whatever it failed of: it would be refused.
 * Then only a template helps, while the conversation is open.
 */
function TooLate({ message, otherwise }: { readonly message: Message; readonly otherwise: ReactNode }) {
  const t = useTexts('tickets')
  const ticket = useTicket(message.ticketId)
  const now = useMinute()
  if (!ticket || isWindowOpen(ticket, now)) return otherwise
  return (
    <p className="m-trouble">
      {describeFailure(message.errorLog, t)}{' '}
      {ticket.status === 'open' && isServed(ticket) && (
        <button
          type="button"
          className="b-link"
          onClick={() => {
            view.templatesFor = ticket.id
          }}
        >
          {t('trouble.template')}
        </button>
      )}
    </p>
  )
}

function Again({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const ticket = useTicket(message.ticketId)
  const again = () =>
    during(async () => takeMessage(await api('POST /messages/retry/:id', { params: { id: message.id } })))
  return (
    <p className="m-trouble">
      {describeFailure(message.errorLog, t)}{' '}
      {(!ticket || isServed(ticket)) && (
        <button type="button" className="b-link" disabled={busy} onClick={again}>
          {t('trouble.retry')}
        </button>
      )}
    </p>
  )
}

/** Why it failed, in words; the provider's own are for developers. Without a log it reads 404 (spec 1 §8). */
export function describeFailure(log: ErrorLog | null, t: Texts): string {
  return log ? t(`trouble.reason.${log.reason ?? 'ERR_SEND_REFUSED'}`) : '404'
}
