// What a customer answered, in the form in which the flow takes it (decisions-2 §10): it knows its own words and ids, not the numbers of our menus.
import { extractDigits, parseRating, resolveMenuChoice } from '@balcao/contract'
import { isRecord, toText } from '../channels/shared/json.ts'
import { parseDate, parseTime } from './dates.ts'
import type { FlowInputMessage } from './protocol.ts'
import { formatFileHint, formatRatingHint, getRatingScale } from './questions.ts'
import type { FlowQuestion } from './table.ts'

/** A message of a customer. `fileUrl`: where Typebot can have its file for a while; null: it has none, or there is no such address. */
export interface CustomerReply {
  readonly words: string
  readonly isVoice: boolean
  readonly fileUrls: readonly string[]
}

/** `tell` null: the question is passed over. `again`: it is no answer, and the customer is told what would be one. */
export type ReplyReading = { readonly tell: FlowInputMessage | null } | { readonly again: string }

const WORDS_ONLY = 'Por aqui só consigo ler texto. Escreva a sua resposta, por favor.'

export function interpretReply(
  question: FlowQuestion | null,
  heard: CustomerReply,
  now: Date,
  timezone: string,
): ReplyReading {
  const words = heard.words.trim()
  if (question?.type === 'file input') return fileReading(question, heard, words)
  const attached = question ? attachmentReading(question, heard, words) : null
  if (attached) return { tell: attached }
  if (words === '') return { again: WORDS_ONLY }
  if (!question) return toTextReply(words)
  if (question.items.length > 0) return { tell: chosen(question, words) }
  if (question.type === 'rating input') return ratingReading(question, words)
  return toTextReply(inItsForm(question, words, now, timezone))
}

function toTextReply(words: string): ReplyReading {
  return { tell: { type: 'text', text: words } }
}

/** By number, name or button; what is none of them the flow itself refuses, in its own words. */
function chosen({ items, several }: FlowQuestion, words: string): FlowInputMessage {
  const shown = items.map(item => item.shown)
  if (several && words.length <= MOST_WORDS) {
    const found = words.split(/[,;\n]| e /).map(part => resolveMenuChoice(part, shown))
    const numbers =
      found.includes(null) && /^[\d\s]+$/.test(words)
        ? words.split(/\s+/).map(part => resolveMenuChoice(part, shown))
        : found
    const picked = numbers.flatMap(at => (at === null ? [] : (items[at] ?? [])))
    const isWhole = picked.length === numbers.length && picked.length > 0
    return { type: 'text', text: isWhole ? [...new Set(picked.map(item => item.text))].join(', ') : words }
  }
  const at = resolveMenuChoice(words, shown)
  const item = at === null ? undefined : items[at]
  return item ? { type: 'text', text: item.text, metadata: { replyId: item.id } } : { type: 'text', text: words }
}

/** Whoever lists choices says no more. */
const MOST_WORDS = 1000

function ratingReading({ options }: FlowQuestion, words: string): ReplyReading {
  const rate = parseRating(words, getRatingScale(options))
  return rate === null ? { again: formatRatingHint(options) } : toTextReply(String(rate))
}

function fileReading({ options }: FlowQuestion, { fileUrls }: CustomerReply, words: string): ReplyReading {
  if (fileUrls.length > 0) return toTextReply(fileUrls.join(', '))
  const passes = options.isRequired === false && /^(pular|pule|n[aã]o|sem arquivo)$/i.test(words)
  return passes ? { tell: null } : { again: formatFileHint(options) }
}

/** Files beside words, and recordings, where the flow takes them. */
function attachmentReading(
  { type, options }: FlowQuestion,
  { fileUrls, isVoice }: CustomerReply,
  words: string,
): FlowInputMessage | null {
  const [url] = fileUrls
  if (type !== 'text input' || url === undefined) return null
  const takes = (name: string) => isRecord(options[name]) && options[name].isEnabled === true
  if (isVoice) return takes('audioClip') ? { type: 'audio', url } : null
  return takes('attachments') ? { type: 'text', text: words, attachedFileUrls: [...fileUrls] } : null
}

function inItsForm({ type, options }: FlowQuestion, words: string, now: Date, timezone: string): string {
  switch (type) {
    case 'number input':
      return toNumberText(words)
    case 'phone number input':
      return toPhoneText(words, toText(options.defaultCountryCode))
    case 'date input': {
      const wish = {
        dayFirst: /^d/.test(toText(options.format) ?? 'dd/MM/yyyy'),
        hasTime: options.hasTime === true,
        isRange: options.isRange === true,
      }
      return parseDate(words, wish, now, timezone) ?? words
    }
    case 'time input':
      return parseTime(words) ?? words
    default:
      return words
  }
}

/** With a point where we write a comma. @example toNumberText('R$ 1.234,50') // '1234.50' */
function toNumberText(words: string): string {
  const bare = words.replace(/^R\$ ?|(?: ?(?:reais|%))$/gi, '').trim()
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  return /^-?\d+,\d+$/.test(bare) ? bare.replace(',', '.') : bare
}

/** With the country's number, unless the flow adds that itself. */
function toPhoneText(words: string, country: string | undefined): string {
  const digits = extractDigits(words)
  if (words.trim().startsWith('+')) return `+${digits}`
  if (country !== undefined && country.toUpperCase() !== 'BR') return words
  if (/^0?\d{10,11}$/.test(digits)) return `+55${digits.replace(/^0/, '')}`
  return /^55\d{10,11}$/.test(digits) ? `+${digits}` : words
}
