// The messages of a ticket.
import type { Message, Ticket } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { useUser } from '@balcao/ui/session'
import { lazy, Suspense, useEffect } from 'react'
import type { Outgoing } from '../composer/outgoing.ts'
import { desk } from '../desk/desk.ts'
import { server } from '../server.ts'
import { useTyping } from '../tickets/use-tickets.ts'
import { type ConversationView, conversationOf } from './conversation-store.ts'
import { MessageList, type OpenMenu } from './MessageList.tsx'

const fetchMenu = () => import('../message/MessageMenu.tsx')
const MessageMenu = lazy(fetchMenu)

interface TicketMessagesProps {
  readonly ticket: Ticket
  readonly conversation: ConversationView
  readonly messages: readonly Message[]
  readonly entries: readonly Outgoing[]
}

export function TicketMessages({ ticket, ...shown }: TicketMessagesProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const typing = useTyping(ticket.id)
  // There before anybody asks for it, and not before there is something to read.
  useEffect(() => {
    const timer = setTimeout(() => void fetchMenu().catch(() => {}), 500)
    return () => clearTimeout(timer)
  }, [])
  const thread = {
    lane: ticket.id,
    isGroup: ticket.isGroup,
    unread: ticket.unreadMessages,
    reads: ticket.status === 'open' && ticket.userId === me,
    markRead: () => server.read(ticket.id),
    history: conversationOf(ticket.id),
    hello: t('sayHello'),
    writing: typing && t(`typing.${typing}`),
    arrivals: desk().arrivals,
    menu: (of: OpenMenu) => (
      <Suspense fallback={null}>
        <MessageMenu ticket={ticket} {...of} />
      </Suspense>
    ),
  }
  return <MessageList thread={thread} {...shown} />
}
