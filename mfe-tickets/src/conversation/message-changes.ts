// What live events mean for the history of a conversation, and the order of its messages (spec 1 §4). Pure.
import type { LiveEvent, Message, Ticket } from '@balcao/contract'
import type { HistoryChange } from '@balcao/ui/rows'

/** Settings that narrow the history of a conversation to less than the contact's whole one (decisions §5). */
export interface HistoryScope {
  readonly onlyThisTicket: boolean
}

type TicketIdentity = Pick<Ticket, 'id' | 'contactId'>

/** What an event changes; null if it is of no conversation. */
export function toHistoryChange(
  event: LiveEvent,
  ticket: TicketIdentity,
  scope: HistoryScope,
): HistoryChange<Message> | null {
  if (event.event === 'ticket') {
    if (event.action !== 'delete') return null
    // A ticket is deleted, or not for this person any more: what is known of it goes.
    return { without: message => message.ticketId === event.ticketId }
  }
  if (event.event !== 'appMessage') return null
  if (event.action === 'delete') return { gone: event.messageId }
  const { message } = event
  const ours = message.ticketId === ticket.id || (!scope.onlyThisTicket && message.contactId === ticket.contactId)
  return { put: message, ours }
}

/** The earlier ticket of this contact that an event tells of, which could perhaps not be seen until now; null for any other. */
export function findEarlierTicket(event: LiveEvent, ticket: TicketIdentity, scope: HistoryScope): number | null {
  if (event.event !== 'ticket' || event.action === 'delete' || event.action === 'create') return null
  const { id, contactId } = event.ticket
  return scope.onlyThisTicket || contactId !== ticket.contactId || id === ticket.id ? null : id
}

/** By the provider's time, ties by ticket and the per-ticket sequence (decisions §1). */
export function compareMessages(a: Message, b: Message): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return a.ticketId - b.ticketId || a.seq - b.seq
}
