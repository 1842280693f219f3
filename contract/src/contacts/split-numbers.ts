// A text where phones are written, taken apart: what stands around a number, and what cannot be one however it is read. Pages know by it
// what to offer, and `read-number.ts`, with which they load no library, says which number it is.
import { extractDigits } from './phone.ts'

/** Dozens of numbers, with what stands beside them. What is longer is a text, and looked at no further. */
const LONGEST = 1000
const SHORTEST = 8

/** What programs put around a number, or around all of a cell. */
const WRAPPINGS: readonly (readonly [RegExp, string])[] = [
  // What a spreadsheet is told so that it keeps a text a text.
  [/^(?:=\s*)?"(.*)"$/s, '$1'],
  [/^'+/, ''],
  [/^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?(\d+).*$/i, '+$1'],
  [/^(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i, '+$1'],
  [/^(?:p|tel|whatsapp|wa)\s*:\s*/i, ''],
  [/;phone-context=.*$/i, ''],
  // What a program made that took it for an amount.
  [/^(\d{8,})[.,]0{1,2}$/, '$1'],
  // A place that is kept free for the carrier.
  [/^(\+?\s?55\s?)?\(?\s?0\s?\(?x{2,3}\s?\)?[\s-]?(?=\(?\d{2})/i, '$1(0)'],
]
/** What people call a number beside it. */
const LABELS =
  /\(?(?<!\p{L})(?:cel(?:ular)?|whats(?:app)?|wpp|zap|tel(?:efone|[ée]fono)?|fone|m[óo]vil|mobile|phone|fixo)(?!\p{L})[.:]*\)?/giu
const BETWEEN = /\s?:::\s?|[;,|\n]|\s\/\s|(?<=\d{4}\s?)\/|\s(?:e|ou|y|o|or|and)\s(?=[+(\d])/giu
const EXTENSION = /(?:ramal|\br\.?\s*\d|ext|\bx\s*\d|#|\*)/iu

/**
 * Whether the server may read a number in it: what it refuses by how it is spelled is none.
 * @example mayBeNumber('Cel: (31) 98655-4410') // true
 */
export function mayBeNumber(text: string): boolean {
  return splitNumbers(text)?.some(part => findSpellingFault(part) === null) ?? false
}

/**
 * What is written for each number, without what programs and people put around it. Null where it says more, such as an extension,
 * without which nobody reaches the number.
 */
export function splitNumbers(written: string): string[] | null {
  if (written.length > LONGEST) return null
  const parts = splitText(written)
  return parts.some(part => EXTENSION.test(part)) ? null : parts
}

function splitText(written: string): string[] {
  // Signs that nobody sees come along with what is copied from WhatsApp.
  const text = written
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/\s+/g, blanks => (/[\n\r]/.test(blanks) ? '\n' : ' '))
    .trim()
  return unwrap(text)
    .split(BETWEEN)
    .map(part => unwrap(unwrap(part.trim()).replace(LABELS, ' ').trim()))
    .filter(part => part !== '')
}

function unwrap(text: string): string {
  return WRAPPINGS.reduce((left, [pattern, number]) => left.replace(pattern, number).trim(), text)
}

/** What is wrong with how one number is written, whatever the number is. */
export function findSpellingFault(written: string): 'numberUnreadable' | 'numberLength' | null {
  if (/[^\d\s()+./\-\u2010-\u2015\u2212]/.test(written) || /^\D*\d[^+]*\+|\+\D*\+/.test(written))
    return 'numberUnreadable'
  const { length } = extractDigits(written)
  return length < SHORTEST ? 'numberLength' : length > MOST_DIGITS ? 'numberUnreadable' : null
}

/** Of a number abroad, behind `00`. */
const MOST_DIGITS = 17
