// What a person can do to one internal message: answer, copy, and their own to edit and delete (spec 1 §5 "Chat").
import '../dialogs/texts.ts'
import type { Message, SharedChat } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, copyText, type MenuItem, MenuPanel } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { Copy, Pencil, Reply, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { view } from '../desk/view.ts'
import { toChatLane } from './lane.ts'
import { isMember } from './use-chats.ts'

interface ChatMessageMenuProps {
  readonly chat: SharedChat
  readonly message: Message
  readonly anchor: HTMLElement
  readonly onDelete: () => void
  readonly onClose: () => void
}

export function ChatMessageMenu({ chat, message, anchor, onDelete, onClose }: ChatMessageMenuProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const place = useRef<HTMLElement | null>(anchor)
  const mine = message.fromMe && isMember(chat, me)
  const aim = (kind: 'reply' | 'edit') => () => {
    view.target[toChatLane(chat.id)] = { kind, message }
  }
  const items: (MenuItem | 'line' | false)[] = [
    isMember(chat, me) && { id: 'chat.reply', label: t('action.reply'), icon: Reply, onChoose: aim('reply') },
    message.body.trim() !== '' && {
      id: 'chat.copy',
      label: t('action.copy'),
      icon: Copy,
      onChoose: () => void copyText(message.body),
    },
    mine &&
      message.mediaType === 'chat' && { id: 'chat.edit', label: t('action.edit'), icon: Pencil, onChoose: aim('edit') },
    mine && 'line',
    mine && {
      id: 'chat.delete',
      label: t('action.deleteMessage'),
      icon: Trash2,
      danger: true,
      onChoose: onDelete,
    },
  ]
  return (
    <MenuPanel
      anchor={place}
      label={t('messageMenu')}
      items={items.filter(item => item !== false)}
      align={message.fromMe ? 'end' : 'start'}
      onClose={onClose}
    />
  )
}

/** Asks before an own message goes. */
export function DeleteChatMessage({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = useTexts('tickets')
  const [busy, during] = useBusy()
  const remove = () =>
    during(async () => {
      await api('DELETE /chats/messages/:id', { params: { id } })
      onClose()
    })
  return (
    <ConfirmDialog
      title={t('delete.messageTitle')}
      text={t('chat.deleteText')}
      action={t('delete.messageDo')}
      ready
      busy={busy}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
