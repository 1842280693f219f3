// The messages of one internal chat, in order, and how far the others have read them.
import type { ChatMessage, Message, SharedChat } from '@balcao/contract'
import { isApiError } from '@balcao/ui/api'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { asMessage } from './as-message.ts'
import type { ChatCalls } from './chat-calls.ts'

const AROUND = 80

interface Drawn {
  readonly source: ChatMessage
  readonly read: boolean
  readonly message: Message
}

/** Messages without a gap between them. */
interface Stretch {
  readonly known: Map<number, ChatMessage>
  olderCursor: string | null
  newerCursor: string | null
}

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

export class ChatConversation {
  private readonly newest: Stretch = { known: new Map(), olderCursor: null, newerCursor: null }
  /** A stretch around a message that was jumped to, until it reaches the newest or the person goes back to them. */
  private aside: Stretch | null = null
  private readonly drawn = new Map<number, Drawn>()
  private readonly listeners = new Set<() => void>()
  /** What live events told while the first page was on its way. */
  private readonly early: ChatMessage[] = []
  private loading = false
  private again = false
  private othersRead = 0
  private current: ConversationView = EMPTY

  constructor(
    readonly chatId: number,
    private readonly viewerId: number,
    private readonly calls: Pick<ChatCalls, 'messages'>,
  ) {}

  view = (): ConversationView => this.current

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** The newest page; `fresh` after a live reset, when what is known may lack what came meanwhile. */
  async load(fresh = false): Promise<void> {
    if (this.loading) {
      this.again ||= fresh
      return
    }
    if (this.current.status === 'ready' && !fresh) return
    this.loading = true
    if (this.current.status !== 'ready') this.publish({ status: 'loading', error: null })
    try {
      const page = await this.calls.messages({ chatId: this.chatId })
      const { known } = this.newest
      // A gap between what was known and this page cannot be seen: older ones are loaded again.
      const oldest = page.messages[0]?.seq ?? 0
      if (fresh) for (const [id, { seq }] of known) if (seq < oldest) known.delete(id)
      for (const message of page.messages) put(known, message)
      this.newest.olderCursor = page.nextCursor
      for (const message of this.early.splice(0)) if (message.seq >= oldest) put(known, message)
      // A stretch may lack what changed: the way on from the newest is always right.
      if (fresh) this.aside = null
      this.publish({ status: 'ready' })
    } catch (error) {
      if (this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
    this.loading = false
    if (!this.again) return
    this.again = false
    await this.load(true)
  }

  async loadOlder(): Promise<boolean> {
    const { shown } = this
    if (!shown.olderCursor || this.current.loadingOlder) return false
    this.publish({ loadingOlder: true })
    try {
      const page = await this.calls.messages({ chatId: this.chatId, cursor: shown.olderCursor })
      for (const message of page.messages) put(shown.known, message)
      shown.olderCursor = page.nextCursor
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
    if (!aside?.newerCursor || this.current.loadingNewer) return
    this.publish({ loadingNewer: true })
    try {
      const page = await this.calls.messages({ chatId: this.chatId, cursor: aside.newerCursor })
      for (const message of page.messages) put(aside.known, message)
      aside.newerCursor = page.newerCursor
      if (aside === this.aside) this.show(aside)
      this.publish({ loadingNewer: false, error: null })
    } catch (error) {
      this.publish({ loadingNewer: false, error })
    }
  }

  /** Makes one message be among those shown, with the page around it; false if there is none. */
  async reach(messageId: number): Promise<boolean> {
    if (this.shown.known.has(messageId)) return true
    if (this.newest.known.has(messageId)) this.aside = null
    else
      try {
        const page = await this.calls.messages({ chatId: this.chatId, around: messageId, limit: AROUND })
        const known = new Map(page.messages.map(message => [message.id, message]))
        this.show({ known, olderCursor: page.nextCursor, newerCursor: page.newerCursor })
      } catch (error) {
        if (isApiError(error, 'ERR_NO_MESSAGE_FOUND')) return false
        throw error
      }
    this.publish({})
    return this.shown.known.has(messageId)
  }

  /** Back to the newest messages. */
  toNewest() {
    if (!this.aside) return
    this.aside = null
    this.publish({ loadingNewer: false })
  }

  /** A message of an answer or of a live event. */
  take(message: ChatMessage) {
    if (message.chatId !== this.chatId || this.current.status === 'idle') return
    // Before the first page is there it would stand alone; but that page may have been read before it was written.
    if (this.current.status !== 'ready') return void this.early.push(message)
    const { known } = this.newest
    const oldest = Math.min(...[...known.values()].map(each => each.seq))
    let changed = false
    if (known.size === 0 || message.seq >= oldest || known.has(message.id)) changed = put(known, message)
    if (this.aside?.known.has(message.id)) changed = put(this.aside.known, message) || changed
    if (changed) this.publish({})
  }

  /** How far everybody else in the chat has read. */
  takeChat(chat: SharedChat) {
    const others = chat.users.filter(user => user.id !== this.viewerId)
    const read = others.length === 0 ? 0 : Math.min(...others.map(user => user.readSeq))
    if (read === this.othersRead) return
    this.othersRead = read
    this.publish({})
  }

  private get shown(): Stretch {
    return this.aside ?? this.newest
  }

  private show(stretch: Stretch) {
    const { known } = this.newest
    const isReached = stretch.newerCursor === null || [...stretch.known.keys()].some(id => known.has(id))
    if (isReached) {
      for (const message of stretch.known.values()) put(known, message)
      this.newest.olderCursor = stretch.olderCursor
    }
    this.aside = isReached ? null : stretch
  }

  /** A message that did not change stays the same object, so that only what changed is drawn again. */
  private draw(source: ChatMessage): Message {
    const read = source.read || source.seq <= this.othersRead
    const drawn = this.drawn.get(source.id)
    if (drawn?.source === source && drawn.read === read) return drawn.message
    const message = asMessage(source, this.viewerId, this.othersRead)
    this.drawn.set(source.id, { source, read, message })
    return message
  }

  private publish(change: Partial<ConversationView>) {
    const { known, olderCursor } = this.shown
    const messages = [...known.values()].sort((a, b) => a.seq - b.seq).map(message => this.draw(message))
    const hasNewer = this.aside !== null
    this.current = { ...this.current, ...change, messages, hasMore: olderCursor !== null, hasNewer }
    for (const listener of this.listeners) listener()
  }
}

function put(known: Map<number, ChatMessage>, message: ChatMessage): boolean {
  const before = known.get(message.id)
  if (before && before.version >= message.version) return false
  known.set(message.id, message)
  return true
}
