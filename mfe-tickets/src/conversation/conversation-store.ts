// The conversations held in memory: the open one and the last few, each kept live.
import type { LiveEvent, Message, Ticket } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { isApiError } from '@balcao/ui/api'
import { ofSession } from '@balcao/ui/session'
import { type Server, server } from '../server.ts'
import { type HistoryScope, MessageTable } from './message-table.ts'

export interface ConversationView {
  readonly messages: readonly Message[]
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly hasMore: boolean
  readonly loadingOlder: boolean
  /** What is shown is a stretch around an older message; the newest ones are somewhere further down. */
  readonly hasNewer: boolean
  readonly loadingNewer: boolean
  /** The first message that was not read when it was opened, where that is further back than the newest page. */
  readonly unreadFrom: number | null
  readonly error: unknown
}

const KEPT = 6
const AROUND = 80
const READ_BEFORE = 20

const EMPTY: ConversationView = {
  messages: [],
  status: 'idle',
  hasMore: false,
  loadingOlder: false,
  hasNewer: false,
  loadingNewer: false,
  unreadFrom: null,
  error: null,
}

export class Conversation {
  private newest = new MessageTable()
  /** A stretch around a message that was jumped to, until it reaches the newest or the person goes back to them. */
  private aside: MessageTable | null = null
  private readonly listeners = new Set<() => void>()
  private loading = false
  private again = false
  private current: ConversationView = EMPTY

  constructor(
    readonly ticketId: number,
    private readonly calls: Pick<Server, 'messages'> = server,
  ) {}

  view = (): ConversationView => this.current

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** The newest page; with `fresh` after a live reset, when what is known may be out of date. At least so many `unread` ones. */
  async load({ fresh = false, unread = 0 }: { readonly fresh?: boolean; readonly unread?: number } = {}) {
    if (this.loading) {
      // What is on its way was asked for before the reset: it may lack what came since.
      this.again ||= fresh
      return
    }
    if (this.current.status === 'ready' && !fresh) return
    this.loading = true
    if (this.current.status !== 'ready') this.publish({ status: 'loading', error: null })
    try {
      const before = this.newest.held()
      this.newest.takePage(await this.calls.messages(this.ticketId, pageWith(unread)), fresh, before)
      if (fresh) await this.freshenAside()
      this.publish({ status: 'ready', ...(this.current.status === 'ready' ? {} : await this.firstUnread(unread)) })
    } catch (error) {
      if (this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
    this.loading = false
    if (!this.again) return
    this.again = false
    await this.load({ fresh: true })
  }

  /** Begins anew, because what may be seen of the past is another: what is shown stays until the answer is there. */
  async renew() {
    const table = new MessageTable()
    try {
      table.takePage(await this.calls.messages(this.ticketId, {}))
      this.newest = table
      this.aside = null
      this.publish({ status: 'ready', error: null, loadingOlder: false, loadingNewer: false })
    } catch (error) {
      this.publish({ status: 'failed', error })
    }
    // What came between the answer and now.
    void this.load({ fresh: true })
  }

  async loadOlder(): Promise<boolean> {
    const { shown } = this
    const { hasMore, cursor } = shown
    if (!hasMore || !cursor || this.current.loadingOlder) return false
    this.publish({ loadingOlder: true })
    try {
      shown.takePage(await this.calls.messages(this.ticketId, { cursor }))
      this.publish({ loadingOlder: false, error: null })
      return true
    } catch (error) {
      this.publish({ loadingOlder: false, error })
      return false
    }
  }

  /** Goes on towards the newest; where the stretch reaches them, both are one. */
  async loadNewer() {
    const { aside } = this
    const cursor = aside?.newerCursor
    if (!aside || !cursor || this.current.loadingNewer) return
    this.publish({ loadingNewer: true })
    try {
      aside.takeNewer(await this.calls.messages(this.ticketId, { cursor }))
      if (aside === this.aside) this.show(aside)
      this.publish({ loadingNewer: false, error: null })
    } catch (error) {
      this.publish({ loadingNewer: false, error })
    }
  }

  /** Makes one message be among those shown, with the page around it; false if it is not in the history this person may see. */
  async reach(messageId: number): Promise<boolean> {
    if (this.shown.get(messageId)) return true
    if (!this.newest.get(messageId))
      try {
        this.show(MessageTable.around(await this.calls.messages(this.ticketId, { around: messageId, limit: AROUND })))
      } catch (error) {
        if (isApiError(error, 'ERR_NO_MESSAGE_FOUND')) return false
        throw error
      }
    else this.aside = null
    this.publish({})
    return this.shown.get(messageId) !== undefined
  }

  /** Back to the newest messages. */
  toNewest() {
    if (!this.aside) return
    this.aside = null
    this.publish({ loadingNewer: false })
  }

  takeAnswer(message: Message) {
    const ours = message.ticketId === this.ticketId || this.newest.get(message.id)
    let changed = ours ? this.newest.put(message) : false
    if (this.aside?.get(message.id)) changed = this.aside.put(message) || changed
    if (changed) this.publish({})
  }

  takeEvents(events: readonly LiveEvent[], ticket: Pick<Ticket, 'id' | 'contactId'>, scope: HistoryScope) {
    let changed = false
    for (const event of events) {
      changed = this.newest.takeEvent(event, ticket, scope) || changed
      if (this.aside) changed = this.aside.takeEvent(event, ticket, scope) || changed
    }
    if (changed) this.publish({})
    if (events.some(event => this.newest.lacks(event, ticket, scope))) void this.load({ fresh: true })
  }

  /** More are unread than a page holds: what is shown first is the stretch around the first of them. */
  private async firstUnread(unread: number): Promise<Pick<ConversationView, 'unreadFrom'>> {
    if (unread + READ_BEFORE <= LIMITS.messagesMost) return { unreadFrom: null }
    const page = await this.calls.messages(this.ticketId, { unread: true, limit: AROUND })
    const unreadFrom = page.unreadFrom ?? null
    if (unreadFrom !== null && !this.newest.get(unreadFrom)) this.show(MessageTable.around(page))
    return { unreadFrom }
  }

  private get shown(): MessageTable {
    return this.aside ?? this.newest
  }

  private show(stretch: MessageTable) {
    const isReached = this.newest.isReachedBy(stretch)
    if (isReached) this.newest.join(stretch)
    this.aside = isReached ? null : stretch
  }

  /** After a live reset a stretch may lack what changed in it: it is asked for again, where its middle was. */
  private async freshenAside() {
    const held = this.aside?.all() ?? []
    const middle = held[held.length >> 1]
    if (!middle) return
    const stretch = MessageTable.around(
      await this.calls.messages(this.ticketId, { around: middle.id, limit: LIMITS.messagesMost }),
    )
    if (this.aside) this.show(stretch)
  }

  private publish(change: Partial<ConversationView>) {
    const { shown } = this
    const hasNewer = this.aside !== null
    this.current = { ...this.current, ...change, messages: shown.all(), hasMore: shown.hasMore, hasNewer }
    for (const listener of this.listeners) listener()
  }
}

/** What the customer wrote lies between messages of others: some more than are unread. */
function pageWith(unread: number): { readonly limit?: number } {
  const wanted = unread + READ_BEFORE
  return wanted > LIMITS.messagesPage ? { limit: Math.min(wanted, LIMITS.messagesMost) } : {}
}

const held = ofSession(() => new Map<number, Conversation>())

/** The conversation of a ticket, made if it is not held. */
export function conversationOf(ticketId: number): Conversation {
  const kept = held()
  const known = kept.get(ticketId) ?? new Conversation(ticketId)
  kept.delete(ticketId)
  kept.set(ticketId, known)
  const oldest = kept.keys().next().value
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return known
}

/** Takes a message from an answer wherever it is held: a history may show messages of an earlier ticket. */
export function takeMessage(message: Message) {
  for (const conversation of held().values()) conversation.takeAnswer(message)
}

/** Those held now, for live events. */
export function heldConversations(): readonly Conversation[] {
  return [...held().values()]
}

/** Forgets all, as after a live reset; the open one is loaded again. */
export function forgetConversations(except: number | null) {
  for (const id of held().keys()) if (id !== except) held().delete(id)
}
