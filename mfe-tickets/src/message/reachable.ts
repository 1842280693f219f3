// Numbers and addresses that a text names. Each look is bounded, however long the text and whatever it is made of.
import { AREA } from '@balcao/contract/contacts/phone'

export interface ReachablePart {
  readonly kind: 'text' | 'phone' | 'email'
  readonly text: string
}

/** Hyphens and dashes, as they come along with what is copied from WhatsApp, or written by a program. */
const DASHES = '\\-\\u2010-\\u2015'
/** What may be one of both; longer runs of digits are bar codes and documents. */
const CANDIDATE = /[+(\d][\d\s().\-\u2010-\u2015]{6,20}\d|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}/gu
const EMAIL = /^[\p{L}\p{N}._%+-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,24}/iu
const FOREIGN = /^\+(?!55)\d[\d\s().\-\u2010-\u2015]+$/
const SIGN = `[.\\s${DASHES}]?`
const LINE = `\\d{4}${SIGN}\\d{4}`
/** With its area code, and what tells it from a document: its country, brackets, a hyphen, or the nine of a mobile. What comes behind a space is another number. */
const BRAZILIAN = new RegExp(
  `^(?:\\+55${SIGN}\\(?${AREA}\\)?${SIGN}(?:9\\s?)?${LINE}|\\(${AREA}\\)\\s?(?:9\\s?)?${LINE}|${AREA}\\s?9\\s?${LINE}|${AREA}\\s\\d{4}[${DASHES}]\\d{4})(?=$|\\s)`,
)

export function splitReachable(text: string): readonly ReachablePart[] {
  const pieces: ReachablePart[] = []
  const candidates = new RegExp(CANDIDATE)
  let from = 0
  for (let match = candidates.exec(text); match; match = candidates.exec(text)) {
    const { 0: found, index } = match
    const piece = readCandidate(found)
    if (!piece || isWithin(text[index - 1]) || isWithin(text[index + piece.text.length])) continue
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) })
    pieces.push(piece)
    from = index + piece.text.length
    candidates.lastIndex = from
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) })
  return pieces
}

function readCandidate(found: string): ReachablePart | null {
  if (found.includes('@')) {
    const email = EMAIL.exec(found)?.[0]
    return email === undefined ? null : { kind: 'email', text: email }
  }
  const digits = found.replace(/\D/g, '').length
  const foreign = FOREIGN.test(found) && digits >= 8 && digits <= 15 ? found : undefined
  const phone = BRAZILIAN.exec(found)?.[0] ?? foreign
  return phone === undefined ? null : { kind: 'phone', text: phone }
}

function isWithin(beside: string | undefined): boolean {
  return beside !== undefined && /[\p{L}\p{N}_/@=]/u.test(beside)
}

const EMOJI = String.raw`(?:\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?(?:\u200D\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?){0,4})`
const ONLY_EMOJI = new RegExp(`^(?:${EMOJI}\\s?){1,3}$`, 'u')

/** One to three of them and nothing else: they are shown larger, as on the phone. */
export function isOnlyEmoji(text: string): boolean {
  return text.length <= 60 && ONLY_EMOJI.test(text)
}
