// The stores of internal chats, made once for the signed-in person, and their feed from the live line.
import type { ChatMessage, LiveEvent, Message } from '@balcao/contract'
import { combineStops, live } from '@balcao/ui/live'
import { keepPerSession, session } from '@balcao/ui/session'
import { loadTeam } from '@balcao/ui/team'
import { holdFew } from '../conversation/held.ts'
import { getStores } from '../desk/stores.ts'
import { EventBatch } from '../tickets/batch.ts'
import { TypingRegistry } from '../tickets/typing-registry.ts'
import { toMessage } from './as-message.ts'
import { chatCalls } from './chat-calls.ts'
import { ChatConversation } from './chat-conversation.ts'
import { ChatStore } from './chat-store.ts'
import { sentInChats } from './lane.ts'

export interface ChatStores {
  readonly viewerId: number
  readonly chats: ChatStore
  /** By their first names. */
  readonly writers: TypingRegistry
  /** Told of each new message of somebody else, for the polite announcement. */
  readonly arrivals: Set<(message: Message) => void>
  /** Which chat is on the screen; a live reset fetches only that. */
  readonly shown: { chatId: number | null }
  conversation(chatId: number): ChatConversation
  held(): readonly ChatConversation[]
}

const MOST_HELD = 4

export const getChatStores = keepPerSession((signal): ChatStores => {
  const own = make(session.user?.id ?? 0)
  signal.addEventListener('abort', subscribeChatStores(own))
  return own
})

function make(viewerId: number): ChatStores {
  const conversations = holdFew(MOST_HELD, id => new ChatConversation(id, viewerId, chatCalls))
  return {
    viewerId,
    chats: new ChatStore(chatCalls, viewerId),
    writers: new TypingRegistry(),
    arrivals: new Set(),
    shown: { chatId: null },
    conversation: conversations.of,
    held: conversations.all,
  }
}

function subscribeChatStores(own: ChatStores): () => void {
  const batch = new EventBatch(events => take(own, events))
  const sent = (message: ChatMessage) => {
    for (const conversation of own.held()) conversation.take(message)
  }
  sentInChats.add(sent)
  void loadTeam()
  const stops = [
    () => batch.stop(),
    ...(['chat', 'appMessageChat', 'unreadMessageChat'] as const).map(name => live.on(name, event => batch.add(event))),
    live.onVolatile(frame => {
      if (frame.kind !== 'typingChat') return
      const name = frame.state === 'paused' ? null : (frame.user.name.split(' ')[0] ?? '')
      own.writers.hear(frame.chatId, frame.user.id, name)
    }),
    live.onReset(() => {
      batch.flush()
      void own.chats.refetch(own.shown.chatId)
      for (const conversation of own.held()) void conversation.load({ fresh: true })
      if (own.shown.chatId !== null) void refresh(own, own.shown.chatId)
    }),
    () => sentInChats.delete(sent),
  ]
  return combineStops(...stops)
}

async function refresh(own: ChatStores, chatId: number) {
  try {
    await own.chats.fetch(() => chatCalls.chat(chatId))
  } catch {
    // The conversation's own load tells what is wrong.
  }
}

function take(own: ChatStores, events: readonly LiveEvent[]) {
  own.chats.takeEvents(events)
  for (const event of events) {
    if (event.event === 'chat' && event.action !== 'delete')
      for (const conversation of own.held())
        if (conversation.chatId === event.chat.id) conversation.takeChat(event.chat)
    if (event.event === 'unreadMessageChat') {
      const chat = own.chats.chat(event.chatId)
      for (const conversation of own.held())
        if (chat && conversation.chatId === event.chatId) conversation.takeChat(chat)
    }
    if (event.event !== 'appMessageChat') continue
    for (const conversation of own.held()) conversation.take(event.message)
    getStores().outgoing.settle(event.message)
    if (event.action !== 'create' || event.message.senderId === own.viewerId) continue
    own.writers.hear(event.message.chatId, event.message.senderId, null)
    for (const tell of own.arrivals) tell(toMessage(event.message, own.viewerId))
  }
}
