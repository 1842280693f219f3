// The messages of one internal chat, in order, and how far the others have read them.
import type { ChatMessage, Message, SharedChat } from '@balcao/contract'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { asMessage } from './as-message.ts'
import type { ChatCalls } from './chat-calls.ts'

const JUMP_PAGES = 25

interface Drawn {
  readonly source: ChatMessage
  readonly read: boolean
  readonly message: Message
}

export class ChatConversation {
  private readonly known = new Map<number, ChatMessage>()
  private readonly drawn = new Map<number, Drawn>()
  private readonly listeners = new Set<() => void>()
  /** What live events told while the first page was on its way. */
  private readonly early: ChatMessage[] = []
  private cursor: string | null = null
  private loading = false
  private again = false
  private othersRead = 0
  private current: ConversationView = { messages: [], status: 'idle', hasMore: false, loadingOlder: false, error: null }

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
      // A gap between what was known and this page cannot be seen: older ones are loaded again.
      const oldest = page.messages[0]?.seq ?? 0
      if (fresh) for (const [id, { seq }] of this.known) if (seq < oldest) this.known.delete(id)
      for (const message of page.messages) this.put(message)
      this.cursor = page.nextCursor
      for (const message of this.early.splice(0)) if (message.seq >= oldest) this.put(message)
      this.publish({ status: 'ready', hasMore: page.hasMore })
    } catch (error) {
      if (this.current.status !== 'ready') this.publish({ status: 'failed', error })
    }
    this.loading = false
    if (!this.again) return
    this.again = false
    await this.load(true)
  }

  async loadOlder(limit?: number): Promise<boolean> {
    if (!this.cursor || this.current.loadingOlder) return false
    this.publish({ loadingOlder: true })
    try {
      const page = await this.calls.messages({ chatId: this.chatId, cursor: this.cursor, ...(limit ? { limit } : {}) })
      for (const message of page.messages) this.put(message)
      this.cursor = page.nextCursor
      this.publish({ loadingOlder: false, hasMore: page.hasMore, error: null })
      return true
    } catch (error) {
      this.publish({ loadingOlder: false, error })
      return false
    }
  }

  /** Loads older pages until a message is there. */
  async reach(messageId: number): Promise<boolean> {
    for (let page = 0; page < JUMP_PAGES && !this.known.has(messageId); page++) {
      if (!(await this.loadOlder(200))) break
    }
    return this.known.has(messageId)
  }

  /** A message of an answer or of a live event. */
  take(message: ChatMessage) {
    if (message.chatId !== this.chatId || this.current.status === 'idle') return
    // Before the first page is there it would stand alone; but that page may have been read before it was written.
    if (this.current.status !== 'ready') return void this.early.push(message)
    const oldest = this.current.messages[0]?.seq ?? 0
    if (message.seq < oldest && !this.known.has(message.id)) return
    if (this.put(message)) this.publish({})
  }

  /** How far everybody else in the chat has read. */
  takeChat(chat: SharedChat) {
    const others = chat.users.filter(user => user.id !== this.viewerId)
    const read = others.length === 0 ? 0 : Math.min(...others.map(user => user.readSeq))
    if (read === this.othersRead) return
    this.othersRead = read
    this.publish({})
  }

  private put(message: ChatMessage): boolean {
    const known = this.known.get(message.id)
    if (known && known.version >= message.version) return false
    this.known.set(message.id, message)
    return true
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
    const messages = [...this.known.values()].sort((a, b) => a.seq - b.seq).map(message => this.draw(message))
    this.current = { ...this.current, ...change, messages }
    for (const listener of this.listeners) listener()
  }
}
