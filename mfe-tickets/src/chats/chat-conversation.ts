// The messages of one internal chat, in order, and how far the others have read them.
import type { ChatMessage, Message, SharedChat } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { isApiError } from '@balcao/ui/api'
import { History } from '@balcao/ui/rows'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { asMessage } from './as-message.ts'
import type { ChatCalls } from './chat-calls.ts'

interface Drawn {
  readonly source: ChatMessage
  readonly read: boolean
  readonly message: Message
}

export class ChatConversation {
  private readonly history: History<ChatMessage>
  private drawn: ReadonlyMap<number, Drawn> = new Map()
  private readonly listeners = new Set<() => void>()
  private othersRead = 0
  private current: ConversationView

  constructor(
    readonly chatId: number,
    private readonly viewerId: number,
    calls: Pick<ChatCalls, 'messages'>,
  ) {
    this.history = new History<ChatMessage>({
      async page(query) {
        const { cursor, around, limit } = query
        const { messages, nextCursor, newerCursor } = await calls.messages({ chatId, cursor, around, limit })
        return { rows: messages, older: nextCursor, newer: newerCursor }
      },
      order: (a, b) => a.seq - b.seq,
      isMissing: error => isApiError(error, 'ERR_NO_MESSAGE_FOUND'),
      usual: LIMITS.messagesPage,
      most: LIMITS.messagesMost,
    })
    this.current = { ...this.history.view(), messages: [] }
    this.history.subscribe(() => this.publish())
  }

  view = (): ConversationView => this.current

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  load(fresh = false) {
    return this.history.load({ fresh })
  }

  loadOlder() {
    return this.history.loadOlder()
  }

  loadNewer() {
    return this.history.loadNewer()
  }

  reach(messageId: number) {
    return this.history.reach(messageId)
  }

  toNewest() {
    this.history.toNewest()
  }

  /** A message of an answer or of a live event. */
  take(message: ChatMessage) {
    this.history.change([{ put: message, ours: message.chatId === this.chatId }])
  }

  /** How far everybody else in the chat has read. */
  takeChat(chat: SharedChat) {
    const others = chat.users.filter(user => user.id !== this.viewerId)
    const read = others.length === 0 ? 0 : Math.min(...others.map(user => user.readSeq))
    if (read === this.othersRead) return
    this.othersRead = read
    this.publish()
  }

  /** A message that did not change stays the same object, so that only what changed is drawn again. */
  private draw(source: ChatMessage): Drawn {
    const read = source.read || source.seq <= this.othersRead
    const drawn = this.drawn.get(source.id)
    if (drawn?.source === source && drawn.read === read) return drawn
    return { source, read, message: asMessage(source, this.viewerId, this.othersRead) }
  }

  private publish() {
    const view = this.history.view()
    const drawn = view.messages.map(source => this.draw(source))
    this.drawn = new Map(drawn.map(each => [each.source.id, each]))
    this.current = { ...view, messages: drawn.map(({ message }) => message) }
    for (const listener of this.listeners) listener()
  }
}
