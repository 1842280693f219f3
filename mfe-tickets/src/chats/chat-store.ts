// The internal chats of the list and the open one, kept live.
import type { LiveEvent, SharedChat } from '@balcao/contract'
import type { ChatCalls } from './chat-calls.ts'

export interface ChatListView {
  readonly ids: readonly number[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly hasMore: boolean
  readonly loadingMore: boolean
  readonly error: unknown
}

export interface ChatFilters {
  readonly search: string
  readonly showAll: boolean
}

export class ChatStore {
  private readonly chats = new Map<number, SharedChat>()
  private readonly listeners = new Set<() => void>()
  private listed = new Set<number>()
  private filters: ChatFilters = { search: '', showAll: false }
  private cursor: string | null = null
  private asked = 0
  private current: ChatListView = { ids: [], status: 'loading', hasMore: false, loadingMore: false, error: null }

  constructor(
    private readonly calls: Pick<ChatCalls, 'list'>,
    private readonly viewerId: number,
  ) {}

  list = (): ChatListView => this.current
  chat = (id: number): SharedChat | undefined => this.chats.get(id)

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Shows what these filters choose; what is on the screen stays until the answer is there, unless it is another list. */
  async show(filters: ChatFilters, afresh = false) {
    const same = filters.search === this.filters.search && filters.showAll === this.filters.showAll
    if (same && this.current.status === 'ready' && !afresh) return
    this.filters = filters
    if (!same || this.current.status === 'failed') {
      this.listed = new Set()
      this.publish({ status: 'loading', error: null })
    }
    const asking = ++this.asked
    try {
      const page = await this.calls.list(this.query())
      if (asking !== this.asked) return
      this.listed = new Set(page.chats.map(chat => chat.id))
      for (const chat of page.chats) this.put(chat)
      this.cursor = page.nextCursor
      this.publish({ status: 'ready', hasMore: page.hasMore, error: null })
    } catch (error) {
      if (asking === this.asked && this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
  }

  async more() {
    if (!this.current.hasMore || this.current.loadingMore || !this.cursor || this.current.status !== 'ready') return
    const asking = this.asked
    this.publish({ loadingMore: true, error: null })
    try {
      const page = await this.calls.list({ ...this.query(), cursor: this.cursor })
      if (asking !== this.asked) return this.publish({ loadingMore: false })
      for (const chat of page.chats) {
        this.listed.add(chat.id)
        this.put(chat)
      }
      this.cursor = page.nextCursor
      this.publish({ hasMore: page.hasMore, loadingMore: false })
    } catch (error) {
      this.publish(asking === this.asked ? { loadingMore: false, error } : { loadingMore: false })
    }
  }

  /** Begins afresh after a live reset. */
  refetch() {
    return this.show(this.filters, true)
  }

  /** An answer of the server. */
  take(chat: SharedChat) {
    if (!this.put(chat)) return
    if (this.belongs(chat)) this.listed.add(chat.id)
    this.publish({})
  }

  takeEvents(events: readonly LiveEvent[]) {
    let changed = false
    for (const event of events) changed = this.takeEvent(event) || changed
    if (changed) this.publish({})
  }

  private takeEvent(event: LiveEvent): boolean {
    if (event.event === 'unreadMessageChat') {
      const chat = this.chats.get(event.chatId)
      if (!chat) return false
      const { readSeq, unreadMessages } = event
      const users = chat.users.map(user => (user.id === event.userId ? { ...user, readSeq, unreadMessages } : user))
      return this.put({ ...chat, users, version: event.version })
    }
    if (event.event !== 'chat') return false
    if (event.action === 'delete') {
      this.listed.delete(event.chatId)
      return this.chats.delete(event.chatId)
    }
    if (!this.put(event.chat)) return false
    if (this.belongs(event.chat)) this.listed.add(event.chat.id)
    return true
  }

  /** Whether a chat not yet listed belongs to the list: one that is searched stays as the server answered it. */
  private belongs(chat: SharedChat): boolean {
    if (this.filters.search !== '') return false
    return this.filters.showAll || chat.users.some(user => user.id === this.viewerId)
  }

  private put(chat: SharedChat): boolean {
    const known = this.chats.get(chat.id)
    if (known && known.version >= chat.version) return false
    this.chats.set(chat.id, chat)
    return true
  }

  private query() {
    const { search, showAll } = this.filters
    return { ...(search === '' ? {} : { searchParam: search }), ...(showAll ? { showAll: 'true' } : {}) }
  }

  private publish(change: Partial<ChatListView>) {
    const listed = [...this.listed].flatMap(id => this.chats.get(id) ?? [])
    listed.sort((a, b) => compare(b.lastMessageAt, a.lastMessageAt) || b.id - a.id)
    const ids = listed.map(chat => chat.id)
    const same = ids.length === this.current.ids.length && ids.every((id, at) => id === this.current.ids[at])
    this.current = { ...this.current, ...change, ids: same ? this.current.ids : ids }
    for (const listener of this.listeners) listener()
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
