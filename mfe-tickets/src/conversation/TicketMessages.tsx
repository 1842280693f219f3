// The messages of a ticket.
import type { Message, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { defineLatePart } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { useEffect } from 'react'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { getStores } from '../desk/stores.ts'
import { openForward, view } from '../desk/view.ts'
import { useTyping } from '../tickets/use-tickets.ts'
import { type ConversationView, getConversation } from './conversation-store.ts'
import { HeldMarks } from './HeldMarks.tsx'
import { MessageList } from './MessageList.tsx'
import type { ConversationRow } from './rows.ts'
import type { OpenMenu } from './thread.ts'
import { usePageVisible } from './use-mark-read.ts'

const MessageMenu = defineLatePart(() => import('../message/MessageMenu.tsx'))
const MarkBar = defineLatePart(() => import('../message/MarkBar.tsx'), 'nowhere', HeldMarks)

interface TicketMessagesProps {
  readonly ticket: Ticket
  readonly conversation: ConversationView
  readonly messages: readonly Message[]
  readonly entries: readonly UnsentMessage[]
}

export function TicketMessages({ ticket, ...shown }: TicketMessagesProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const typing = useTyping(ticket.id)
  // There before anybody asks for it, and not before there is something to read.
  useEffect(() => {
    const timer = setTimeout(() => void MessageMenu.fetch().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [])
  useMentionsSeen(ticket.id, shown.messages, me)
  const thread = {
    lane: ticket.id,
    isGroup: ticket.isGroup,
    unread: ticket.unreadMessages,
    reads: ticket.status === 'open' && ticket.userId === me,
    markRead: (upTo: number) => api('POST /tickets/:id/read', { params: { id: ticket.id }, query: { upTo } }),
    readsInParts: true,
    history: getConversation(ticket.id),
    hello: t('sayHello'),
    writing: typing && t(`typing.${typing}`),
    arrivals: getStores().arrivals,
    menu: (of: OpenMenu) => <MessageMenu ticket={ticket} {...of} />,
    goToDay: (day: string) => {
      view.find = { lane: ticket.id, day }
    },
    forward: ({ id }: Message) => openForward(ticket.id, id),
    marking: (rows: readonly ConversationRow[]) => <MarkBar ticketId={ticket.id} rows={rows} />,
  }
  return <MessageList thread={thread} {...shown} />
}

/** A comment that calls this person leaves the bell once it stands on a page that is seen. */
function useMentionsSeen(id: number, messages: readonly Message[], me: number) {
  const visible = usePageVisible()
  const newest = messages.findLast(({ mentions }) => mentions?.some(called => called.id === me))?.id
  useEffect(() => {
    if (visible && newest !== undefined)
      void api('POST /tickets/:id/mentions/seen', { params: { id } }).catch(() => undefined)
  }, [visible, id, newest])
}
