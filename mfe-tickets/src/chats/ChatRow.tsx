// One row of the internal chats: who with, when, the last words and what is unread.
import type { SharedChat } from '@balcao/contract'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { formatListTime, useTexts } from '@balcao/ui/i18n'
import { Avatar } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { usePresence } from '@balcao/ui/team'
import { memo } from 'react'
import { summarizeLastMessage } from '../list/last-message.ts'
import { RowFrame } from '../list/RowFrame.tsx'
import { useMinute } from '../use-minute.ts'
import { countUnread, findOtherSide, formatChatTitle, useChat, useWriters } from './use-chats.ts'

export const ChatRow = memo(function ChatRow({ id }: { readonly id: number }) {
  const chat = useChat(id)
  return chat ? <Row chat={chat} /> : null
})

function Row({ chat }: { readonly chat: SharedChat }) {
  const t = useTexts('tickets')
  const me = useUser().id
  const now = useMinute()
  const writers = useWriters(chat.id)
  const unread = countUnread(chat, me)
  const title = formatChatTitle(chat, me)
  const last = describeLastMessage(chat, me, t)
  const members = chat.isGroup ? t('chat.people', { count: chat.users.length }) : null
  return (
    <RowFrame
      heard={[
        title,
        members,
        unread > 0 ? t('row.unread', { count: unread }) : null,
        last,
        formatListTime(chat.lastMessageAt, now),
      ]}
      avatar={<ChatAvatar chat={chat} />}
      title={title}
      at={chat.lastMessageAt}
      now={now}
      unread={unread}
      line={
        writers ? (
          <span className="t-preview is-typing">{t('chat.writing', { who: writers })}</span>
        ) : (
          <span className="t-preview">
            <bdi className="t-preview-text">{last}</bdi>
          </span>
        )
      }
      facts={members && <span className="t-row-fact">{members}</span>}
    />
  )
}

/** The other side with a dot that says whether they are there, or the sign of a group. */
export function ChatAvatar({ chat, size }: { readonly chat: SharedChat; readonly size?: number }) {
  const me = useUser().id
  const other = findOtherSide(chat, me)
  const presence = usePresence(other?.id ?? 0)
  return (
    <Avatar
      id={other?.id ?? chat.id}
      name={other?.name ?? formatChatTitle(chat, me)}
      photo={other?.profilePicUrl ?? null}
      group={chat.isGroup}
      presence={other ? presence : undefined}
      size={size}
    />
  )
}

function describeLastMessage(chat: SharedChat, me: number, t: ReturnType<typeof useTexts>): string {
  if (chat.lastMessageUserId === null) return t('chat.nothingYet')
  const { kind, words: preview } = summarizeLastMessage(chat.lastMessage, chat.lastMessageType, t)
  const file = chat.lastMessageType !== 'chat'
  const words = [file ? kind : null, toPlainText(preview, 200)].filter(Boolean).join(': ') || t('deleted')
  if (chat.lastMessageUserId === me) return t('chat.byYou', { text: words })
  const author = chat.users.find(user => user.id === chat.lastMessageUserId)?.name.split(' ')[0]
  return chat.isGroup && author ? `${author}: ${words}` : words
}
