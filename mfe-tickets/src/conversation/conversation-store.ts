// The conversations held in memory: the open one and the last few, each kept live.
import type { LiveEvent, Message, Ticket } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { ApiError, isApiError } from '@balcao/ui/api'
import { History, type HistoryLoad, type HistoryView } from '@balcao/ui/rows'
import { keepPerSession } from '@balcao/ui/session'
import { type DeskCalls, server } from '../server.ts'
import { holdFew } from './held.ts'
import { loadToUnread } from './load-to-unread.ts'
import { compareMessages, findEarlierTicket, type HistoryScope, toHistoryChange } from './message-changes.ts'

export type ConversationView = HistoryView<Message>

const KEPT = 6

export class ConversationHistory extends History<Message> {
  /** Nobody has opened it yet: that it may not be seen any more is no failure, neither here nor in the browser's log. */
  private ahead = false

  constructor(
    readonly ticketId: number,
    calls: Pick<DeskCalls, 'messages'> = server,
  ) {
    super({
      page: async query => {
        const request = this.ahead ? { ...query, ahead: true } : query
        const { messages, hasMore, nextCursor, newerCursor, unreadFrom, refused } = await calls.messages(
          ticketId,
          request,
        )
        if (refused) throw new ApiError('ERR_NO_PERMISSION', 403, 'fetched ahead')
        return { rows: messages, older: hasMore ? nextCursor : null, newer: newerCursor, unreadFrom }
      },
      order: compareMessages,
      isMissing: error => isApiError(error, 'ERR_NO_MESSAGE_FOUND'),
      usual: LIMITS.messagesPage,
      most: LIMITS.messagesMost,
    })
  }

  /** The newest messages as far as so many unread ones: what the customer wrote lies between messages of others. */
  override load({ unread = 0, ...how }: HistoryLoad & { readonly unread?: number } = {}) {
    return super.load({ ...loadToUnread(unread), ...how })
  }

  /** Before anybody opens it. */
  async fetchAhead(unread: number) {
    this.ahead = true
    await this.load({ unread })
    this.ahead = false
  }

  /** Begins anew, because what may be seen of the past is another. */
  renew() {
    return this.load({ anew: true })
  }

  takeAnswer(message: Message) {
    this.change([{ put: message, ours: message.ticketId === this.ticketId }])
  }

  /** Tickets that may be of another contact now than the conversation's: its own makes it another conversation, others leave it. */
  takeMoved(moved: readonly Pick<Ticket, 'id' | 'contactId'>[], ticket: Pick<Ticket, 'contactId'> | undefined) {
    const gone = moved.filter(({ id, contactId }) => ticket && contactId !== ticket.contactId && id !== this.ticketId)
    for (const { id } of gone)
      if (this.some(message => message.ticketId === id)) this.change([{ without: message => message.ticketId === id }])
    const own = moved.find(({ id }) => id === this.ticketId)
    if (own && this.some(message => message.contactId !== own.contactId)) void this.renew()
  }

  takeEvents(events: readonly LiveEvent[], ticket: Pick<Ticket, 'id' | 'contactId'>, scope: HistoryScope) {
    this.change(events.flatMap(event => toHistoryChange(event, ticket, scope) ?? []))
    // What was seen of the past to its beginning may have a part now that it had not.
    const { status, hasMore } = this.view()
    if (status !== 'ready' || hasMore) return
    const appeared = events.some(event => {
      const earlier = findEarlierTicket(event, ticket, scope)
      return earlier !== null && !this.some(message => message.ticketId === earlier)
    })
    if (appeared) void this.load({ fresh: true })
  }
}

const held = keepPerSession(() => holdFew(KEPT, id => new ConversationHistory(id)))

/** The conversation of a ticket, made if it is not held. */
export function getConversation(ticketId: number): ConversationHistory {
  return held().of(ticketId)
}

/** Takes a message from an answer wherever it is held: a history may show messages of an earlier ticket. */
export function takeMessage(message: Message) {
  for (const conversation of held().all()) conversation.takeAnswer(message)
}

/** Those held now, for live events. */
export function listHeldConversations(): readonly ConversationHistory[] {
  return held().all()
}

/** Forgets all, as after a live reset; the open one is loaded again. */
export function forgetConversations(except: number | null) {
  held().forget(except)
}
