// The messages of one internal chat, in order, and how far the others have read them.
import type { ChatMessage, Message, SharedChat } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { isApiError } from '@balcao/ui/api'
import { History } from '@balcao/ui/rows'
import { toMessage, toMessageState } from './as-message.ts'
import type { ChatCalls } from './chat-calls.ts'

export class ChatConversation extends History<Message> {
  private othersRead = 0

  constructor(
    readonly chatId: number,
    private readonly viewerId: number,
    calls: Pick<ChatCalls, 'messages'>,
  ) {
    super({
      page: async query => {
        const { messages, nextCursor, newerCursor, unreadFrom } = await calls.messages({ chatId, ...query })
        return { rows: messages.map(message => this.drawn(message)), older: nextCursor, newer: newerCursor, unreadFrom }
      },
      order: (a, b) => a.seq - b.seq,
      isMissing: error => isApiError(error, 'ERR_NO_MESSAGE_FOUND'),
      usual: LIMITS.messagesPage,
      most: LIMITS.messagesMost,
    })
  }

  /** A message of an answer or of a live event. */
  take(message: ChatMessage) {
    this.change([{ put: this.drawn(message), ours: message.chatId === this.chatId }])
  }

  /** How far everybody else in the chat has read. */
  takeChat(chat: SharedChat) {
    const others = chat.users.filter(user => user.id !== this.viewerId)
    this.othersRead = others.length === 0 ? 0 : Math.min(...others.map(user => user.readSeq))
    this.change([{ redrawn: message => this.asRead(message) }])
  }

  private drawn(message: ChatMessage): Message {
    return toMessage(message, this.viewerId, this.othersRead)
  }

  private asRead(message: Message): Message {
    const state = toMessageState(message, this.othersRead)
    return state === message.state ? message : { ...message, state }
  }
}
