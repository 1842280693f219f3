// What is open on the way to a conversation: the form of a new one, or the one that is in its way.
import type { OtherOpenTicket } from '@balcao/contract'
import { keepSessionState } from '@balcao/ui/session'

/** What is known already of whom to write to. */
export interface ConversationRequest {
  readonly contactId?: number
  readonly number?: string
  readonly name?: string
}

/** The conversation that is in the way. */
export interface BlockingTicket extends Pick<OtherOpenTicket, 'ticketId' | 'status' | 'user' | 'queue' | 'askPass'> {
  /** Whether this person may see it. */
  readonly visible: boolean
  /** Written for the customer, of a conversation this person may not see. */
  words: string
}

export interface WayIn {
  wish: ConversationRequest | null
  other: BlockingTicket | null
}

export const wayIn = keepSessionState<WayIn>(() => ({ wish: null, other: null }))

/** Shows who has the conversation that is in the way, in the place of the form. */
export function showInTheWay({ ticketId, status, user, queue, askPass, ticket }: OtherOpenTicket) {
  wayIn.wish = null
  wayIn.other = { ticketId, status, user, queue, ...(askPass && { askPass }), visible: ticket !== undefined, words: '' }
}

/** Opens the form of a new conversation. */
export function startConversation(wish: ConversationRequest = {}) {
  wayIn.wish = wish
}
