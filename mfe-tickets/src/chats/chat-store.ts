// The internal chats of the list and the open one, kept live.
import type { LiveEvent, SharedChat } from '@balcao/contract'
import { Journal } from '@balcao/ui/rows'
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
  /** The last of the last page while there are more: what sorts after it comes with its page. */
  private floor: SharedChat | null = null
  private readonly gone = new Map<number, number>()
  /** Held since before a live `reset` and not heard of again: what is told of a part of them has nothing to stand on. */
  private stale = new Set<number>()
  private readonly pages = new Journal<LiveEvent>()
  private readonly singles = new Journal<LiveEvent>()
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
      this.floor = null
      this.publish({ status: 'loading', error: null })
    }
    this.pages.void()
    try {
      const came = await this.pages.during(() => this.calls.list(this.query()))
      if (!came) return
      this.listed = new Set()
      this.takePage(came.answer)
      this.publish({ status: 'ready', loadingMore: false, error: null })
      this.again(came.meanwhile)
    } catch (error) {
      if (this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
  }

  async more() {
    const { cursor } = this
    if (!this.current.hasMore || this.current.loadingMore || !cursor || this.current.status !== 'ready') return
    this.publish({ loadingMore: true, error: null })
    try {
      const came = await this.pages.during(() => this.calls.list({ ...this.query(), cursor }))
      if (!came || this.cursor !== cursor) return this.publish({ loadingMore: false })
      this.takePage(came.answer)
      this.publish({ loadingMore: false })
      this.again(came.meanwhile)
    } catch (error) {
      this.publish({ loadingMore: false, error })
    }
  }

  /** Asks for one and takes it, with what came since it was asked for; throws as the call does. */
  async fetch(ask: () => Promise<SharedChat>) {
    const came = await this.singles.during(ask)
    if (!came) return
    const { answer: chat } = came
    this.put(chat, true)
    if (this.belongs(chat)) this.listed.add(chat.id)
    this.publish({})
    this.again(came.meanwhile)
  }

  /** Begins afresh after a live reset: what was deleted meanwhile is not known any more. */
  refetch() {
    this.gone.clear()
    this.stale = new Set(this.chats.keys())
    this.singles.void()
    return this.show(this.filters, true)
  }

  /** The answer to a change made here. */
  take(chat: SharedChat) {
    this.note({ event: 'chat', action: 'update', version: chat.version, chat })
    if (!this.put(chat)) return
    if (this.belongs(chat)) this.listed.add(chat.id)
    this.publish({})
  }

  takeEvents(events: readonly LiveEvent[]) {
    for (const event of events) this.note(event)
    this.again(events)
  }

  private note(event: LiveEvent) {
    this.pages.note(event)
    this.singles.note(event)
  }

  private again(events: readonly LiveEvent[]) {
    let changed = false
    for (const event of events) changed = this.takeEvent(event) || changed
    if (changed) this.publish({})
  }

  private takeEvent(event: LiveEvent): boolean {
    if (event.event === 'unreadMessageChat') {
      const chat = this.chats.get(event.chatId)
      if (!chat || this.stale.has(chat.id)) return false
      const { readSeq, unreadMessages } = event
      const users = chat.users.map(user => (user.id === event.userId ? { ...user, readSeq, unreadMessages } : user))
      return this.put({ ...chat, users, version: event.version })
    }
    if (event.event !== 'chat') return false
    if (event.action === 'delete') {
      const known = this.chats.get(event.chatId)
      if (known && known.version > event.version) return false
      this.gone.set(event.chatId, event.version)
      this.listed.delete(event.chatId)
      return this.chats.delete(event.chatId)
    }
    const changed = this.put(event.chat)
    const known = this.chats.get(event.chat.id)
    // What is known as new may stand in no list: a page that was on its way has begun the list afresh without it.
    if (!known || this.listed.has(known.id) || !this.belongs(known)) return changed
    this.listed.add(known.id)
    return true
  }

  /** Whether a chat not yet listed belongs to the list: one that is searched stays as the server answered it. */
  private belongs(chat: SharedChat): boolean {
    if (this.filters.search !== '') return false
    return this.filters.showAll || chat.users.some(user => user.id === this.viewerId)
  }

  private takePage({ chats, hasMore, nextCursor }: Awaited<ReturnType<ChatCalls['list']>>) {
    for (const chat of chats) {
      this.put(chat, true)
      if (this.chats.has(chat.id)) this.listed.add(chat.id)
    }
    this.cursor = hasMore ? nextCursor : null
    this.floor = hasMore ? (chats.at(-1) ?? this.floor) : null
    this.publish({ hasMore })
  }

  /** Of the same version an answer counts: what hangs on a chat (names, pictures) has no version here. */
  private put(chat: SharedChat, orSame = false): boolean {
    const known = this.chats.get(chat.id)
    if (known && (orSame ? known.version > chat.version : known.version >= chat.version)) return false
    if ((this.gone.get(chat.id) ?? -1) >= chat.version) return false
    this.stale.delete(chat.id)
    this.chats.set(chat.id, chat)
    return true
  }

  private query() {
    const { search, showAll } = this.filters
    return { ...(search === '' ? {} : { searchParam: search }), ...(showAll ? { showAll: 'true' } : {}) }
  }

  private publish(change: Partial<ChatListView>) {
    const { floor } = this
    const listed = [...this.listed]
      .flatMap(id => this.chats.get(id) ?? [])
      .filter(chat => floor === null || compareNewestFirst(chat, floor) <= 0)
      .sort(compareNewestFirst)
    const ids = listed.map(chat => chat.id)
    const same = ids.length === this.current.ids.length && ids.every((id, at) => id === this.current.ids[at])
    this.current = { ...this.current, ...change, ids: same ? this.current.ids : ids }
    for (const listener of this.listeners) listener()
  }
}

function compareNewestFirst(a: SharedChat, b: SharedChat): number {
  return compare(b.lastMessageAt, a.lastMessageAt) || b.id - a.id
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
