// The tickets the bot has: which they are, in which order, and whether a search finds one. All of them are there, so the page searches
// by itself.

import type { Ticket } from '@balcao/contract'
import type { NamedLiveEvent } from '@balcao/contract/events'
import { LIMITS } from '@balcao/contract/kit/limits'
import { makeTextMatcher, type RowChange } from '@balcao/ui/rows'
import type { RowQuery } from '@balcao/ui/screens'

/** `queueId`: of this queue alone; 0: of those without one. */
export interface BotQuery extends RowQuery {
  readonly queueId: number | null
}

const inWords = makeTextMatcher<Ticket>(({ contact, lastMessage, id }) => [contact.name, lastMessage, String(id)])

/** By name, words or number of the contact, and of the chosen queue. */
export function isBotTicketMatch(ticket: Ticket, query: BotQuery): boolean {
  const digits = query.search.replace(/\D/g, '')
  const isNumber = digits.length >= LIMITS.searchMinimum && ticket.contact.number?.includes(digits) === true
  const isOfQueue = query.queueId === null || (ticket.queueId ?? 0) === query.queueId
  return isOfQueue && (isNumber || inWords(ticket, query))
}

/** Whoever wrote last comes first. */
export function compareLatestFirst(one: Ticket, other: Ticket): number {
  return other.lastMessageAt.localeCompare(one.lastMessageAt) || other.id - one.id
}

/** What an event of a ticket says of this list: one that the bot has not got is not in it. */
export function toBotRowChange(event: NamedLiveEvent<'ticket'>): RowChange<Ticket> {
  if (event.action === 'delete') return { gone: event.ticketId, version: event.version }
  const { ticket, action } = event
  if (ticket.status !== 'bot') return { gone: ticket.id, version: ticket.version }
  return { put: ticket, isNew: action === 'create' }
}
