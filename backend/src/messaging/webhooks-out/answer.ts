// What is shown of an answer: many programs answer with what they were sent, in a spelling of their own, or with a part of it.
import { truncateText, type WebhookData } from '@balcao/contract'
import { HIDDEN, listValues, redact } from './body.ts'

const SHOWN = 1000
/** As many letters and digits in a row are no chance. */
const LIKENESS = 12
/** Shorter ones are words that stand everywhere. */
const SHORTEST = 4
/** What numbers have in common, however they are written. */
const NUMBER_END = 8

/** The beginning of an answer without what is known of people; nothing of it where some of that shows all the same. */
export function showAnswer(answer: string, data: WebhookData): string {
  const shown = truncateText(redact(answer, data), SHOWN)
  const plain = fold(shown)
  return listValues(data).some(value => isShown(plain, fold(value))) ? HIDDEN : shown
}

/** Whether a text has this value, a good part of it, or ends with how it begins; both folded. */
function isShown(plain: string, value: string): boolean {
  if (value.length < SHORTEST) return false
  if (/^\d+$/.test(value) && plain.includes(value.slice(-NUMBER_END))) return true
  if (value.length <= LIKENESS) return plain.includes(value) || endsWithBeginning(plain, value)
  for (let at = 0; at + LIKENESS <= plain.length; at++) if (value.includes(plain.slice(at, at + LIKENESS))) return true
  return endsWithBeginning(plain, value)
}

function endsWithBeginning(plain: string, value: string): boolean {
  for (let length = Math.min(value.length, LIKENESS) - 1; length >= SHORTEST; length--)
    if (plain.endsWith(value.slice(0, length))) return true
  return false
}

/** Letters and digits alone, without accents and capitals, whatever they were escaped with. */
function fold(text: string): string {
  return text
    .replace(/\\u(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/gi, (_, long?: string, short?: string) =>
      toSign(long ?? short ?? '', 16),
    )
    .replace(/\\x([\da-f]{2})/gi, (_, hex: string) => toSign(hex, 16))
    .replace(/\\[nrtbf]/g, ' ')
    .replace(/&#x([\da-f]{1,6});/gi, (_, hex: string) => toSign(hex, 16))
    .replace(/&#(\d{1,7});/g, (_, digits: string) => toSign(digits, 10))
    .replace(/&([a-z])(?:acute|grave|circ|tilde|uml|cedil|ring);/gi, '$1')
    .replace(/&[a-z]{2,8};/gi, ' ')
    .replace(/(?:%[\da-f]{2})+/gi, decodePercents)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function toSign(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
}

/** Bytes of UTF-8, or of what Windows writes. */
function decodePercents(escaped: string): string {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex')
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? bytes.toString('latin1') : text
}
