// Where internal messages are written: the composer of tickets without what is only for customers.
import type { SharedChat } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { useUser } from '@balcao/ui/session'
import { useMemo } from 'react'
import type { ComposerContext } from '../composer/composer-context.ts'
import { Editor } from '../composer/Editor.tsx'
import { getChatStores } from './chat-stores.ts'
import { toChatLane } from './lane.ts'
import { formatChatTitle } from './use-chats.ts'

export function ChatComposer({ chat }: { readonly chat: SharedChat }) {
  const t = useTexts('tickets')
  const me = useUser().id
  const place = useMemo(() => createChatComposerContext(chat, me), [chat, me])
  return <Editor place={place} placeholder={t('chat.placeholder')} />
}

function createChatComposerContext(chat: SharedChat, me: number): ComposerContext {
  return {
    lane: toChatLane(chat.id),
    accept: null,
    name: formatChatTitle(chat, me),
    most: LIMITS.chatAttachments,
    ticket: null,
    onlyComments: false,
    typing: state => live.typingInChat(chat.id, state === 'paused' ? 'paused' : 'typing'),
    async saveEdit(message, body) {
      const edited = { messageId: message.id, body }
      getChatStores()
        .conversation(chat.id)
        .take(await api('PUT /chats/messages/:chatId', { params: { chatId: chat.id }, body: edited }))
    },
  }
}
