// What a row says of the last message: what kind of thing it is, and the words that came with it, as WhatsApp does.
import { commentText } from '@balcao/contract/comments'
import type { Texts } from '@balcao/ui/i18n'
import { splitSignature } from '../composer/wording.ts'

/** Types that are more than text, or none. */
const KINDS = new Set([
  'image',
  'audio',
  'video',
  'application',
  'sticker',
  'location',
  'vcard',
  'contact_array',
  'call_log',
  'comment',
  'deleted',
  'unknown',
])
/** Types whose text is data, not words. */
const WORDLESS = new Set(['call_log', 'unknown', 'sticker', 'deleted'])
const LENGTH = 300

export interface LastWords {
  /** 'Foto', 'Documento'; null where words are all there is. */
  readonly kind: string | null
  /** A caption, a file's name, a place, a person of a contact card, or what was written; may be empty. */
  readonly words: string
}

export function lastWords(text: string, type: string, t: Texts): LastWords {
  const kind = KINDS.has(type) ? t(`media.${type}`) : null
  if (WORDLESS.has(type)) return { kind, words: '' }
  const body = type === 'comment' ? commentText(text) : splitSignature(text).body
  const words = body.slice(0, LENGTH).replace(/\s+/g, ' ').trim()
  if (type === 'contact_array' && words !== '') return { kind, words: t('row.contacts', { name: words }) }
  return words === '' && kind === null ? { kind: t('media.chat'), words } : { kind, words }
}
