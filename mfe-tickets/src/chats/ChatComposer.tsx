// Where internal messages are written: the composer of tickets without what is only for customers.
import type { SharedChat } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { useUser } from '@balcao/ui/session'
import { useMemo } from 'react'
import { Editor } from '../composer/Editor.tsx'
import type { Place } from '../composer/place.ts'
import { chatStores } from './chat-stores.ts'
import { laneOf } from './lane.ts'
import { titleOf } from './use-chats.ts'

export function ChatComposer({ chat }: { readonly chat: SharedChat }) {
  const t = useTexts('tickets')
  const me = useUser().id
  const place = useMemo(() => chatPlace(chat, me), [chat, me])
  return <Editor place={place} placeholder={t('chat.placeholder')} />
}

function chatPlace(chat: SharedChat, me: number): Place {
  return {
    lane: laneOf(chat.id),
    name: titleOf(chat, me),
    most: LIMITS.chatAttachments,
    ticket: null,
    typing: state => live.typingInChat(chat.id, state === 'paused' ? 'paused' : 'typing'),
    async saveEdit(message, body) {
      const edited = { messageId: message.id, body }
      chatStores()
        .conversation(chat.id)
        .take(await api('PUT /chats/messages/:chatId', { params: { chatId: chat.id }, body: edited }))
    },
  }
}
