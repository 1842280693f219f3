// What lies in the composer before it is sent: words, and files in the order they go, each with its own caption. The field
// shows the words of one of them. Pure.
import { isComment } from '@balcao/contract/comments'
import { type Attachment, takesCaption } from './attachments.ts'

export interface Sheet {
  /** The message without a file; beside files it goes before them. */
  readonly text: string
  readonly files: readonly Attachment[]
  /** The file whose caption the field shows. */
  readonly chosen: string | null
}

export function emptySheet(text = ''): Sheet {
  return { text, files: [], chosen: null }
}

/** The words the field shows: the caption of the chosen file, or the text where that file takes none. */
export function wordsOf(sheet: Sheet): string {
  return captioned(sheet)?.caption ?? sheet.text
}

export function withWords(sheet: Sheet, words: string): Sheet {
  const file = captioned(sheet)
  if (!file) return { ...sheet, text: words }
  return { ...sheet, files: sheet.files.map(each => (each.id === file.id ? { ...each, caption: words } : each)) }
}

/** Adds files behind those there are. What was written becomes the caption of the first one that takes it. */
export function withFiles(sheet: Sheet, added: readonly Attachment[]): Sheet {
  const taker = sheet.text.trim() === '' ? undefined : added.find(takesCaption)
  const named = added.map(file => (file.id === taker?.id ? { ...file, caption: sheet.text } : file))
  const chosen = sheet.chosen ?? taker?.id ?? added[0]?.id ?? null
  return { text: taker ? '' : sheet.text, files: [...sheet.files, ...named], chosen }
}

/** Takes a file out; the words of the last one stay in the field. */
export function withoutFile(sheet: Sheet, id: string): Sheet {
  const at = sheet.files.findIndex(file => file.id === id)
  const gone = sheet.files[at]
  if (!gone) return sheet
  const files = sheet.files.filter(file => file.id !== id)
  if (files.length === 0) return emptySheet([sheet.text, gone.caption].filter(words => words.trim() !== '').join('\n'))
  const next = files[Math.min(at, files.length - 1)]?.id ?? null
  return { ...sheet, files, chosen: sheet.chosen === id ? next : sheet.chosen }
}

/** Moves a file one place towards the beginning (-1) or the end (1). */
export function withMoved(sheet: Sheet, id: string, step: -1 | 1): Sheet {
  const from = sheet.files.findIndex(file => file.id === id)
  return withPlaced(sheet, id, from + step)
}

/** Puts a file at a place in the order; outside of it nothing changes. */
export function withPlaced(sheet: Sheet, id: string, to: number): Sheet {
  const file = sheet.files.find(each => each.id === id)
  if (!file || to < 0 || to >= sheet.files.length) return sheet
  const files = sheet.files.filter(each => each.id !== id)
  return { ...sheet, files: [...files.slice(0, to), file, ...files.slice(to)] }
}

/** Whether something marked as a comment hangs on a file: it would reach the customer. */
export function hasCommentOnFile({ text, files }: Sheet): boolean {
  return files.length > 0 && (isComment(text) || files.some(file => isComment(file.caption)))
}

function captioned({ files, chosen }: Sheet): Attachment | undefined {
  return files.find(file => file.id === chosen && takesCaption(file))
}
