// The conversations held in memory: the open one and the last few, each kept live.
import type { LiveEvent, Message, Ticket } from '@balcao/contract'
import { server } from '../server.ts'
import { type HistoryScope, MessageTable } from './message-table.ts'

export interface ConversationView {
  readonly messages: readonly Message[]
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly hasMore: boolean
  readonly loadingOlder: boolean
  readonly error: unknown
}

const KEPT = 6
const JUMP_PAGES = 25

export class Conversation {
  private readonly table = new MessageTable()
  private readonly listeners = new Set<() => void>()
  private loading = false
  private again = false
  private current: ConversationView = { messages: [], status: 'idle', hasMore: false, loadingOlder: false, error: null }

  constructor(readonly ticketId: number) {}

  view = (): ConversationView => this.current

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** The newest page; with `fresh` after a live reset, when what is known may be out of date. */
  async load(fresh = false) {
    if (this.loading) {
      // What is on its way was asked for before the reset: it may lack what came since.
      this.again ||= fresh
      return
    }
    if (this.current.status === 'ready' && !fresh) return
    this.loading = true
    if (this.current.status !== 'ready') this.publish({ status: 'loading', error: null })
    try {
      const before = this.table.held()
      this.table.takePage(await server.messages(this.ticketId, {}), fresh, before)
      this.publish({ status: 'ready' })
    } catch (error) {
      if (this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
    this.loading = false
    if (!this.again) return
    this.again = false
    await this.load(true)
  }

  async loadOlder(limit?: number): Promise<boolean> {
    const { hasMore, cursor } = this.table
    if (!hasMore || !cursor || this.current.loadingOlder) return false
    this.publish({ loadingOlder: true })
    try {
      this.table.takePage(await server.messages(this.ticketId, { cursor, ...(limit ? { limit } : {}) }))
      this.publish({ loadingOlder: false, error: null })
      return true
    } catch (error) {
      this.publish({ loadingOlder: false, error })
      return false
    }
  }

  /** Loads older pages until a message is there; false if it is not in the history this person may see. */
  async reach(messageId: number): Promise<boolean> {
    for (let page = 0; page < JUMP_PAGES; page++) {
      if (this.table.get(messageId)) return true
      if (!(await this.loadOlder(200))) break
    }
    return this.table.get(messageId) !== undefined
  }

  takeAnswer(message: Message) {
    const ours = message.ticketId === this.ticketId || this.table.get(message.id)
    if (ours && this.table.put(message)) this.publish({})
  }

  takeEvents(events: readonly LiveEvent[], ticket: Pick<Ticket, 'id' | 'contactId'>, scope: HistoryScope) {
    let changed = false
    for (const event of events) changed = this.table.takeEvent(event, ticket, scope) || changed
    if (changed) this.publish({})
    if (events.some(event => this.table.lacks(event, ticket, scope))) void this.load(true)
  }

  private publish(change: Partial<ConversationView>) {
    this.current = { ...this.current, ...change, messages: this.table.all(), hasMore: this.table.hasMore }
    for (const listener of this.listeners) listener()
  }
}

const kept = new Map<number, Conversation>()

/** The conversation of a ticket, made if it is not held. */
export function conversationOf(ticketId: number): Conversation {
  const known = kept.get(ticketId) ?? new Conversation(ticketId)
  kept.delete(ticketId)
  kept.set(ticketId, known)
  const oldest = kept.keys().next().value
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return known
}

/** Takes a message from an answer wherever it is held: a history may show messages of an earlier ticket. */
export function takeMessage(message: Message) {
  for (const conversation of kept.values()) conversation.takeAnswer(message)
}

/** Those held now, for live events. */
export function heldConversations(): readonly Conversation[] {
  return [...kept.values()]
}

/** Forgets all, as after signing out or a live reset; the open one is loaded again. */
export function forgetConversations(except: number | null) {
  for (const id of kept.keys()) if (id !== except) kept.delete(id)
}
