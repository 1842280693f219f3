// What a row says of the last message: what kind of thing it is, and the words that came with it, as WhatsApp does.
import { truncateText } from '@balcao/contract'
import { stripCommentPrefix } from '@balcao/contract/messages/comments'
import { getMessageKind, normalizeMessageType } from '@balcao/contract/messages/message-kinds'
import type { Texts } from '@balcao/ui/i18n'
import { splitSignature } from '../composer/wording.ts'

const LENGTH = 300

export interface LastMessageSummary {
  /** 'Foto', 'Documento'; null where words are all there is. */
  readonly kind: string | null
  /** A caption, a file's name, a place, a person of a contact card, or what was written; may be empty. */
  readonly words: string
}

export function summarizeLastMessage(text: string, type: string, t: Texts): LastMessageSummary {
  if (type === 'deleted') return { kind: t('media.deleted'), words: '' }
  const { named, body: says } = getMessageKind(type)
  const kind = named && type !== 'system' ? t(`media.${normalizeMessageType(type)}`) : null
  if (says === 'none' && type !== 'system') return { kind, words: '' }
  const body = type === 'comment' ? stripCommentPrefix(text) : splitSignature(text).body
  // On one line a block of code is words like others.
  const words = truncateText(body, LENGTH).replaceAll('```', '').replace(/\s+/g, ' ').trim()
  if (type === 'contact_array' && words !== '') return { kind, words: t('row.contacts', { name: words }) }
  return words === '' && kind === null ? { kind: t('media.chat'), words } : { kind, words }
}
