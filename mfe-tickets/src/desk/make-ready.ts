import { conversationOf } from '../conversation/conversation-store.ts'
import { desk } from './desk.ts'

/** Asks for the messages of a ticket unless they are held: those unread among them, since it is there that reading begins. */
export function makeReady(ticketId: number): Promise<void> {
  return conversationOf(ticketId).load({ unread: desk().tickets.ticket(ticketId)?.unreadMessages ?? 0 })
}
