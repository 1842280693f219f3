// Where a composer writes: a ticket or an internal chat.
import type { Message, Ticket } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import type { TicketContext } from '../actions/ticket-action.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { isServed } from '../tickets/served.ts'

export interface ComposerContext {
  /** A ticket's id, or the negative of a chat's. */
  readonly lane: number
  /** Whose conversation it is. */
  readonly name: string
  /** Most bytes of all files together. */
  readonly most: number
  /** Null in internal chats: nobody to greet, so no words to fill in, quick answers, comments or signature. */
  readonly ticket: Ticket | null
  /** A conversation that waits is accepted before anything goes out to the customer; false: it is not this person's. Null where nobody waits. */
  readonly accept: (() => Promise<boolean>) | null
  /** Who only follows the conversation writes to the team. */
  readonly onlyComments: boolean
  readonly typing: (state: 'typing' | 'recording' | 'paused') => void
  readonly saveEdit: (message: Message, body: string) => Promise<void>
}

export function createTicketComposerContext(ticket: Ticket, context: TicketContext | null = null): ComposerContext {
  const onlyComments = !isServed(ticket)
  return {
    onlyComments,
    lane: ticket.id,
    name: nameContact(ticket.contact),
    most: KIND_TABLE[ticket.whatsapp.api].most.files,
    ticket,
    accept:
      context?.ticket.status === 'pending' && !onlyComments
        ? async () => (await import('./accept-to-send.ts')).acceptToSend(context)
        : null,
    typing: state => live.typing(ticket.id, state),
    async saveEdit(message, body) {
      const edited = { messageId: message.id, body }
      takeMessage(await api('PUT /messages/:ticketId', { params: { ticketId: message.ticketId }, body: edited }))
    },
  }
}
