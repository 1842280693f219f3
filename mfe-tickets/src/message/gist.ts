// A message in a few words, wherever it does not stand itself: quoted, passed on, announced, heard.
import type { Message } from '@balcao/contract'
import { kindOf, namedAs } from '@balcao/contract/message-kinds'
import { plainText } from '@balcao/contract/whatsapp-text'
import type { Texts } from '@balcao/ui/i18n'
import { saidIn } from '../composer/wording.ts'

type Said = Pick<Message, 'mediaType' | 'body' | 'fromMe'>

/** Its words on one line, at most so many letters; empty where its body is nothing to read. */
export function wordsOf(message: Said, most: number): string {
  return kindOf(message.mediaType).body === 'words' ? plainText(saidIn(message), most) : ''
}

/** Its words, after what it is called where they do not say so: 'Pedido: 2 × Café'; without words what it is called. */
export function gistOf(message: Said, t: Texts, most = 160): string {
  const { named, isFile } = kindOf(message.mediaType)
  const kind = t(`media.${namedAs(message.mediaType)}`)
  const words = wordsOf(message, most)
  if (words === '') return kind
  return named && !isFile ? `${kind}: ${words}` : words
}
