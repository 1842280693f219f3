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
import { chatStores } from './chat-stores.ts'
import { laneOf } from './lane.ts'
import { isIn, unreadOf, useWriters } from './use-chats.ts'

interface ChatMessagesProps {
  readonly chat: SharedChat
  readonly conversation: ConversationView
}

const NOTHING: readonly never[] = []

export function ChatMessages({ chat, conversation }: ChatMessagesProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const entries = useOutgoing(laneOf(chat.id))
  const messages = useWhole(conversation.messages, conversation.hasNewer ? NOTHING : entries, undefined)
  const writers = useWriters(chat.id)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const thread = {
    lane: laneOf(chat.id),
    isGroup: chat.isGroup || !isIn(chat, me),
    unread: unreadOf(chat, me),
    reads: isIn(chat, me),
    markRead: () => api('POST /chats/messages/read/:id', { params: { id: chat.id } }),
    readsInParts: false,
    history: chatStores().conversation(chat.id),
    hello: t('chat.hello'),
    writing: writers && t('chat.writing', { who: writers }),
    arrivals: chatStores().arrivals,
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
