import type { SharedChat } from '@balcao/contract'
import { useNavigate } from '@balcao/ui/router'
import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { loadToUnread } from '../conversation/load-to-unread.ts'
import { useOpened } from '../desk/use-opened.ts'
import { useKnown } from '../tickets/signals.ts'
import { chatCalls } from './chat-calls.ts'
import type { ChatListView } from './chat-store.ts'
import { getChatStores } from './chat-stores.ts'

/** Opens a chat in the address; null goes back to the list. */
export function useOpenChat() {
  const navigate = useNavigate()
  return useCallback((id: number | null) => void navigate(id === null ? '/tickets/0' : `/tickets/0/${id}`), [navigate])
}

export function useChat(id: number): SharedChat | undefined {
  return useKnown(getChatStores().chats.single, id)
}

export function useChatList(): ChatListView {
  const { chats } = getChatStores()
  return useSyncExternalStore(chats.subscribe, chats.list)
}

/** The names of those who write in a chat now. */
export function useWriters(chatId: number): string | null {
  return useKnown(getChatStores().writers, chatId)
}

/** The messages of a chat, loaded and kept live. */
export function useChatConversation(chat: SharedChat): ConversationView {
  const { conversation: find, viewerId } = getChatStores()
  const conversation = find(chat.id)
  const load = useEffectEvent(() => conversation.load(loadToUnread(countUnread(chat, viewerId))))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conversation
  useEffect(() => {
    void load()
  }, [conversation])
  useEffect(() => conversation.takeChat(chat), [conversation, chat])
  return useSyncExternalStore(conversation.subscribe, conversation.view)
}

/** The chat of the address; one that one is taken out of leads back to the list. */
export function useOpenedChat(chatId: number, open: (id: number | null) => void): SharedChat | undefined {
  const chat = useChat(chatId)
  useOpened(chatId, chat !== undefined, {
    fetch: id => getChatStores().chats.fetch(() => chatCalls.chat(id)),
    leave: () => open(null),
    refused: 'chat.noPermission',
    gone: { ERR_NO_PERMISSION: 'chat.takenOut' },
  })
  return chat
}

/** Who a chat is with, as its title: the other side, the group, or both sides for somebody who only looks on. */
export function formatChatTitle(chat: SharedChat, viewerId: number): string {
  if (chat.isGroup) return chat.groupName
  const others = chat.users.filter(user => user.id !== viewerId)
  return others.map(user => user.name).join(' · ')
}

/** The other side of a direct chat; null for groups, and for somebody who only looks on. */
export function findOtherSide(chat: SharedChat, viewerId: number) {
  if (chat.isGroup || !isMember(chat, viewerId)) return null
  return chat.users.find(user => user.id !== viewerId) ?? null
}

export function isMember(chat: SharedChat, userId: number): boolean {
  return chat.users.some(user => user.id === userId)
}

export function countUnread(chat: SharedChat, userId: number): number {
  return chat.users.find(user => user.id === userId)?.unreadMessages ?? 0
}
