// How long what is written may be: what goes out counts, with words filled in and the signature. Pure.
import type { Kind } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { hasCaption } from './attachments.ts'
import type { ComposerSheet } from './sheet.ts'

export interface TextLength {
  readonly length: number
  readonly most: number
}

/** From here on it is worth a number. */
const NEAR = 0.9

/** The length of what the field shows, where that comes near what the kind takes or goes beyond; null long before. */
export function findNearLimit(
  kind: Kind,
  sheet: ComposerSheet,
  outgoing: (words: string) => string,
): TextLength | null {
  const { most } = KIND_TABLE[kind]
  const shown = sheet.files.find(file => file.id === sheet.chosen && hasCaption(file))
  return computeNearLimit(outgoing, shown ? shown.caption : sheet.text, shown ? most.caption : most.text)
}

/** The same of a message that is changed. */
export function findEditLength(kind: Kind, words: string, outgoing: (words: string) => string): TextLength | null {
  return computeNearLimit(outgoing, words, KIND_TABLE[kind].most.text)
}

/** Whether the text or the words under any of the files are longer than the kind takes. */
export function isTooLong(kind: Kind, { text, files }: ComposerSheet, outgoing: (words: string) => string): boolean {
  const { most } = KIND_TABLE[kind]
  const over = (words: string, limit: number) => isOver(computeNearLimit(outgoing, words, limit))
  return over(text, most.text) || files.some(({ caption }) => over(caption, most.caption))
}

export function isOver(length: TextLength | null): boolean {
  return length !== null && length.length > length.most
}

/** What is far from the limit is not even filled in: this runs with every key. */
function computeNearLimit(outgoing: (words: string) => string, words: string, most: number): TextLength | null {
  if (words.length < most / 2) return null
  const { length } = outgoing(words)
  return length > most * NEAR ? { length, most } : null
}
