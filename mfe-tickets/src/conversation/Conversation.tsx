// One conversation: header, messages, composer; and what stands there while it loads, fails or may not be seen.
import type { Ticket } from '@balcao/contract'
import { useActions } from '@balcao/ui/actions'
import { isApiError } from '@balcao/ui/api'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Boundary, ErrorState, TilePattern, toast, useSkeleton } from '@balcao/ui/parts'
import { useEffect, useMemo } from 'react'
import { asPageActions } from '../actions/register.ts'
import { Composer } from '../composer/Composer.tsx'
import { makeReady } from '../desk/desk.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'
import { useWithScheduleLogs } from '../schedule/logs.ts'
import { useLookAt } from '../together/use-looking.ts'
import { conversationOf } from './conversation-store.ts'
import { Header } from './Header.tsx'
import { replyToLast } from './reply-to-last.ts'
import { TicketMessages } from './TicketMessages.tsx'
import { useConversation, useOutgoing, useWhole } from './use-conversation.ts'

/** What is on its way stands behind the newest messages, not behind a stretch of older ones. */
const NOTHING: readonly never[] = []

export function Conversation({ ticket }: { readonly ticket: Ticket }) {
  const context = useTicketContext(ticket)
  const conversation = useConversation(ticket.id)
  const entries = useOutgoing(ticket.id)
  const told = useWithScheduleLogs(conversation.messages, ticket, conversation)
  const whole = useWhole(told, conversation.hasNewer ? NOTHING : entries, ticket)
  useLookAt(ticket.id)
  useActions(
    useMemo(
      () => [...asPageActions(context), replyToLast(ticket, () => conversationOf(ticket.id).view().messages)],
      [context, ticket],
    ),
  )
  return (
    <section className="c-conversation" aria-label={ticket.contact.name} tabIndex={-1}>
      <Header context={context} />
      {conversation.status === 'ready' ? (
        <TicketMessages
          key={ticket.id}
          ticket={ticket}
          conversation={conversation}
          messages={whole}
          entries={entries}
        />
      ) : (
        <NotReady
          ticket={ticket}
          failed={conversation.status === 'failed'}
          error={conversation.error}
          open={context.open}
        />
      )}
      <Boundary key={`composer-${ticket.id}`}>
        <Composer ticket={ticket} context={context} />
      </Boundary>
    </section>
  )
}

interface NotReadyProps {
  readonly ticket: Ticket
  readonly failed: boolean
  readonly error: unknown
  readonly open: (id: number | null) => void
}

function NotReady({ ticket, failed, error, open }: NotReadyProps) {
  const t = useTexts('tickets')
  const skeleton = useSkeleton(!failed)
  const refused = failed && isApiError(error, 'ERR_NO_PERMISSION')
  useEffect(() => {
    if (!refused) return
    toast.error(t('noPermission'))
    open(null)
  }, [refused, open, t])
  return (
    <div className="c-wall">
      <TilePattern />
      {failed && !refused && (
        <div className="c-failed">
          <ErrorState
            title={t('conversationFailed')}
            text={errorText(error)}
            onRetry={() => void makeReady(ticket.id)}
          />
        </div>
      )}
      {!failed && skeleton && <BubbleSkeletons />}
    </div>
  )
}

export function BubbleSkeletons() {
  return (
    <div className="c-skeleton" aria-busy="true">
      <span style={{ width: 230 }} />
      <span style={{ width: 300, height: 56 }} />
      <span className="is-mine" style={{ width: 250 }} />
      <span className="is-mine" style={{ width: 180 }} />
    </div>
  )
}
