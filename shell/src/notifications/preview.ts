// The last words of a conversation in one line, as the bells and the browser's notifications show them.
import type { Chat, Notice, Ticket } from '@balcao/contract'
import { getMessageKind, normalizeMessageType } from '@balcao/contract/messages/message-kinds'
import { stripSignature } from '@balcao/contract/messages/signature'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import type { Texts } from '@balcao/ui/i18n'
import type { Snapshot } from 'valtio'

const LENGTH = 300

export function formatTicketPreview(
  { lastMessage, lastMessageType }: Pick<Ticket, 'lastMessage' | 'lastMessageType'>,
  t: Texts,
): string {
  return preview(lastMessage, lastMessageType, t)
}

export function formatChatPreview(chat: Snapshot<Chat>, t: Texts): string {
  const text = preview(chat.lastMessage, chat.lastMessageType, t)
  const author = chat.users.find(user => user.id === chat.lastMessageUserId)
  return chat.isGroup && author ? `${getFirstName(author.name)}: ${text}` : text
}

/** The name of the group, or of the other side. */
export function formatChatTitle(chat: Snapshot<Chat>, me: number): string {
  if (chat.isGroup) return chat.groupName
  return chat.users.find(user => user.id !== me)?.name ?? chat.userName
}

/** What a notice says under the name. */
export function formatNoticeText(notice: Notice, t: Texts): string {
  const { reason, author } = notice
  if (reason !== 'message') {
    const title = author ? t(`notice.${reason}By`, { name: getFirstName(author) }) : t(`notice.${reason}`)
    const why = author ? toPlainText(notice.text, LENGTH) : ''
    return why === '' ? title : `${title}: ${why}`
  }
  const text = preview(notice.text, notice.mediaType, t)
  return author ? `${getFirstName(author)}: ${text}` : text
}

function preview(text: string, type: string, t: Texts): string {
  const { named, body } = getMessageKind(type)
  const words = body === 'none' ? '' : toPlainText(stripSignature(text), LENGTH)
  const kind = named ? t(`notice.kind.${type === 'deleted' ? type : normalizeMessageType(type)}`) : null
  return words === '' ? (kind ?? t('notice.kind.chat')) : [kind, words].filter(Boolean).join(': ')
}

function getFirstName(name: string): string {
  return name.split(' ')[0] ?? name
}
