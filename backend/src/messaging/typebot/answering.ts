// What a customer answered, in the form in which the flow takes it (decisions-2 §10): it knows its own words and ids, not the numbers of our menus.
import { chosenOf, digitsOf, ratingOf } from '@balcao/contract'
import { isRecord, text } from '../channels/shared/json.ts'
import { fileHint, ratingHint, scaleOf } from './asking.ts'
import { dateFor, timeFor } from './dates.ts'
import type { Told } from './protocol.ts'
import type { Asked } from './table.ts'

/** A message of a customer. `fileUrl`: where Typebot can have its file for a while; null: it has none, or there is no such address. */
export interface Heard {
  readonly words: string
  readonly isVoice: boolean
  readonly fileUrls: readonly string[]
}

/** `tell` null: the question is passed over. `again`: it is no answer, and the customer is told what would be one. */
export type Reading = { readonly tell: Told | null } | { readonly again: string }

const WORDS_ONLY = 'Por aqui só consigo ler texto. Escreva a sua resposta, por favor.'

export function readingOf(asked: Asked | null, heard: Heard, now: Date, timezone: string): Reading {
  const words = heard.words.trim()
  if (asked?.type === 'file input') return fileReading(asked, heard, words)
  const attached = asked ? attachmentReading(asked, heard, words) : null
  if (attached) return { tell: attached }
  if (words === '') return { again: WORDS_ONLY }
  if (!asked) return said(words)
  if (asked.items.length > 0) return { tell: chosen(asked, words) }
  if (asked.type === 'rating input') return ratingReading(asked, words)
  return said(inItsForm(asked, words, now, timezone))
}

function said(words: string): Reading {
  return { tell: { type: 'text', text: words } }
}

/** By number, name or button; what is none of them the flow itself refuses, in its own words. */
function chosen({ items, several }: Asked, words: string): Told {
  const shown = items.map(item => item.shown)
  if (several && words.length <= MOST_WORDS) {
    const found = words.split(/[,;\n]| e /).map(part => chosenOf(part, shown))
    const numbers =
      found.includes(null) && /^[\d\s]+$/.test(words) ? words.split(/\s+/).map(part => chosenOf(part, shown)) : found
    const picked = numbers.flatMap(at => (at === null ? [] : (items[at] ?? [])))
    const isWhole = picked.length === numbers.length && picked.length > 0
    return { type: 'text', text: isWhole ? [...new Set(picked.map(item => item.text))].join(', ') : words }
  }
  const at = chosenOf(words, shown)
  const item = at === null ? undefined : items[at]
  return item ? { type: 'text', text: item.text, metadata: { replyId: item.id } } : { type: 'text', text: words }
}

/** Whoever lists choices says no more. */
const MOST_WORDS = 1000

function ratingReading({ options }: Asked, words: string): Reading {
  const rate = ratingOf(words, scaleOf(options))
  return rate === null ? { again: ratingHint(options) } : said(String(rate))
}

function fileReading({ options }: Asked, { fileUrls }: Heard, words: string): Reading {
  if (fileUrls.length > 0) return said(fileUrls.join(', '))
  const passes = options.isRequired === false && /^(pular|pule|n[aã]o|sem arquivo)$/i.test(words)
  return passes ? { tell: null } : { again: fileHint(options) }
}

/** Files beside words, and recordings, where the flow takes them. */
function attachmentReading({ type, options }: Asked, { fileUrls, isVoice }: Heard, words: string): Told | null {
  const [url] = fileUrls
  if (type !== 'text input' || url === undefined) return null
  const takes = (name: string) => isRecord(options[name]) && options[name].isEnabled === true
  if (isVoice) return takes('audioClip') ? { type: 'audio', url } : null
  return takes('attachments') ? { type: 'text', text: words, attachedFileUrls: [...fileUrls] } : null
}

function inItsForm({ type, options }: Asked, words: string, now: Date, timezone: string): string {
  switch (type) {
    case 'number input':
      return numberOf(words)
    case 'phone number input':
      return phoneOf(words, text(options.defaultCountryCode))
    case 'date input': {
      const wish = {
        dayFirst: /^d/.test(text(options.format) ?? 'dd/MM/yyyy'),
        hasTime: options.hasTime === true,
        isRange: options.isRange === true,
      }
      return dateFor(words, wish, now, timezone) ?? words
    }
    case 'time input':
      return timeFor(words) ?? words
    default:
      return words
  }
}

/** With a point where we write a comma. @example numberOf('R$ 1.234,50') // '1234.50' */
function numberOf(words: string): string {
  const bare = words.replace(/^R\$ ?|(?: ?(?:reais|%))$/gi, '').trim()
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  return /^-?\d+,\d+$/.test(bare) ? bare.replace(',', '.') : bare
}

/** With the country's number, unless the flow adds that itself. */
function phoneOf(words: string, country: string | undefined): string {
  const digits = digitsOf(words)
  if (words.trim().startsWith('+')) return `+${digits}`
  if (country !== undefined && country.toUpperCase() !== 'BR') return words
  if (/^0?\d{10,11}$/.test(digits)) return `+55${digits.replace(/^0/, '')}`
  return /^55\d{10,11}$/.test(digits) ? `+${digits}` : words
}
