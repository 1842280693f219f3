// One conversation: header, messages, composer; and what stands there while it loads, fails or may not be seen.
import type { Ticket } from '@balcao/contract'
import { useActions } from '@balcao/ui/actions'
import { isApiError } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { Boundary, toast } from '@balcao/ui/parts'
import { useEffect, useMemo } from 'react'
import { toPageActions } from '../actions/register.ts'
import { Composer } from '../composer/Composer.tsx'
import { makeReady } from '../desk/stores.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'
import { useDrawings } from '../message/late-card.ts'
import { useWithScheduleLogs } from '../schedule/logs.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { useViewingPresence } from '../viewers/use-viewers.ts'
import { getConversation } from './conversation-store.ts'
import { Header } from './Header.tsx'
import { makeLastMessageActions } from './last-message-actions.ts'
import { NotReady } from './NotReady.tsx'
import { TicketMessages } from './TicketMessages.tsx'
import { useConversation, useOutgoing, useWhole } from './use-conversation.ts'

/** What is on its way stands behind the newest messages, not behind a stretch of older ones. */
const NOTHING: readonly never[] = []

export function Conversation({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const context = useTicketContext(ticket)
  const conversation = useConversation(ticket.id)
  const drawable = useDrawings(ticket.id, conversation.status === 'ready' ? conversation.messages : null)
  const entries = useOutgoing(ticket.id)
  const shownMessages = useWithScheduleLogs(conversation.messages, ticket, conversation)
  const whole = useWhole(shownMessages, conversation.hasNewer ? NOTHING : entries, ticket)
  useViewingPresence(ticket.id)
  useActions(
    useMemo(
      () => [
        ...toPageActions(context),
        ...makeLastMessageActions(ticket, () => getConversation(ticket.id).view().messages),
      ],
      [context, ticket],
    ),
  )
  const refused = conversation.status === 'failed' && isApiError(conversation.error, 'ERR_NO_PERMISSION')
  const { open } = context
  useEffect(() => {
    if (!refused) return
    toast.error(t('noPermission'))
    open(null)
  }, [refused, open, t])
  return (
    <section className="c-conversation" aria-label={nameContact(ticket.contact)} tabIndex={-1}>
      <Header context={context} />
      {conversation.status === 'ready' && drawable ? (
        <TicketMessages
          key={ticket.id}
          ticket={ticket}
          conversation={conversation}
          messages={whole}
          entries={entries}
        />
      ) : (
        <NotReady conversation={conversation} silent={refused} onRetry={() => void makeReady(ticket.id)} />
      )}
      <Boundary key={`composer-${ticket.id}`}>
        <Composer ticket={ticket} context={context} />
      </Boundary>
    </section>
  )
}
