// How long what is written may be: what goes out counts, with words filled in and the signature. Pure.
import type { Kind } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { takesCaption } from './attachments.ts'
import type { Sheet } from './sheet.ts'

export interface Length {
  readonly length: number
  readonly most: number
}

/** From here on it is worth a number. */
const NEAR = 0.9

/** The length of what the field shows, where that comes near what the kind takes or goes beyond; null long before. */
export function lengthNear(kind: Kind, sheet: Sheet, outgoing: (words: string) => string): Length | null {
  const { most } = KIND_TABLE[kind]
  const shown = sheet.files.find(file => file.id === sheet.chosen && takesCaption(file))
  return near(outgoing, shown ? shown.caption : sheet.text, shown ? most.caption : most.text)
}

/** The same of a message that is changed. */
export function lengthOfEdit(kind: Kind, words: string, outgoing: (words: string) => string): Length | null {
  return near(outgoing, words, KIND_TABLE[kind].most.text)
}

/** Whether the text or the words under any of the files are longer than the kind takes. */
export function isTooLong(kind: Kind, { text, files }: Sheet, outgoing: (words: string) => string): boolean {
  const { most } = KIND_TABLE[kind]
  const over = (words: string, limit: number) => isOver(near(outgoing, words, limit))
  return over(text, most.text) || files.some(({ caption }) => over(caption, most.caption))
}

export function isOver(length: Length | null): boolean {
  return length !== null && length.length > length.most
}

/** What is far from the limit is not even filled in: this runs with every key. */
function near(outgoing: (words: string) => string, words: string, most: number): Length | null {
  if (words.length < most / 2) return null
  const { length } = outgoing(words)
  return length > most * NEAR ? { length, most } : null
}
