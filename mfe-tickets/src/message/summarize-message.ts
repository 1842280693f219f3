// A message in a few words, wherever it does not stand itself: quoted, passed on, announced, heard.
import type { Message } from '@balcao/contract'
import { getMessageKind, normalizeMessageType } from '@balcao/contract/messages/message-kinds'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import type { Texts } from '@balcao/ui/i18n'
import { getUnsignedText } from '../composer/wording.ts'

type MessageContent = Pick<Message, 'mediaType' | 'body' | 'fromMe'>

/** Its words on one line, at most so many letters; empty where its body is nothing to read. */
export function getMessageText(message: MessageContent, most: number): string {
  return getMessageKind(message.mediaType).body === 'words' ? toPlainText(getUnsignedText(message), most) : ''
}

/** Its words, after what it is called where they do not say so: 'Pedido: 2 × Café'; without words what it is called. */
export function summarizeMessage(message: MessageContent, t: Texts, most = 160): string {
  const { named, isFile } = getMessageKind(message.mediaType)
  const kind = t(`media.${normalizeMessageType(message.mediaType)}`)
  const words = getMessageText(message, most)
  if (words === '') return kind
  return named && !isFile ? `${kind}: ${words}` : words
}
