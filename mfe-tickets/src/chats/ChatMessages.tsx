// The messages of an internal chat, drawn as those of a ticket.
import type { Message, SharedChat } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { useUser } from '@balcao/ui/session'
import { useState } from 'react'
import type { ConversationView } from '../conversation/conversation-store.ts'
import { MessageList } from '../conversation/MessageList.tsx'
import type { OpenMenu } from '../conversation/thread.ts'
import { useOutgoing, useWhole } from '../conversation/use-conversation.ts'
import { ChatMessageMenu, DeleteChatMessage } from './ChatMessageMenu.tsx'
import { getChatStores } from './chat-stores.ts'
import { toChatLane } from './lane.ts'
import { countUnread, isMember, useWriters } from './use-chats.ts'

interface ChatMessagesProps {
  readonly chat: SharedChat
  readonly conversation: ConversationView
}

const NOTHING: readonly never[] = []

export function ChatMessages({ chat, conversation }: ChatMessagesProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const entries = useOutgoing(toChatLane(chat.id))
  const messages = useWhole(conversation.messages, conversation.hasNewer ? NOTHING : entries, undefined)
  const writers = useWriters(chat.id)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const thread = {
    lane: toChatLane(chat.id),
    isGroup: chat.isGroup || !isMember(chat, me),
    unread: countUnread(chat, me),
    reads: isMember(chat, me),
    markRead: () => api('POST /chats/messages/read/:id', { params: { id: chat.id } }),
    readsInParts: false,
    history: getChatStores().conversation(chat.id),
    hello: t('chat.hello'),
    writing: writers && t('chat.writing', { who: writers }),
    arrivals: getChatStores().arrivals,
    menu: (of: OpenMenu) =>
      of.message.isDeleted ? null : <ChatMessageMenu chat={chat} {...of} onDelete={() => setDeleting(of.message)} />,
  }
  return (
    <>
      <MessageList thread={thread} conversation={conversation} messages={messages} entries={entries} />
      {deleting && <DeleteChatMessage id={deleting.id} onClose={() => setDeleting(null)} />}
    </>
  )
}
