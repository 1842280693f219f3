// What lies in the composer before it is sent: words, and files in the order they go, each with its own caption. The field
// shows the words of one of them. Pure.
import { isComment } from '@balcao/contract/messages/comments'
import { type Attachment, hasCaption } from './attachments.ts'
import { type Blank, listBlanks } from './wording.ts'

export interface ComposerSheet {
  /** The message without a file; beside files it goes before them. */
  readonly text: string
  readonly files: readonly Attachment[]
  /** The file whose caption the field shows. */
  readonly chosen: string | null
}

export function createEmptySheet(text = ''): ComposerSheet {
  return { text, files: [], chosen: null }
}

/** What was taken out before lies before what came meanwhile. */
export function joinSheets(before: ComposerSheet, since: ComposerSheet): ComposerSheet {
  const words = [before.text, since.text].filter(text => text.trim() !== '').join('\n')
  return { text: words, files: [...before.files, ...since.files], chosen: since.chosen ?? before.chosen }
}

/** The words the field shows: the caption of the chosen file, or the text where that file takes none. */
export function getSheetText(sheet: ComposerSheet): string {
  return findCaptionedFile(sheet)?.caption ?? sheet.text
}

export function setSheetText(sheet: ComposerSheet, words: string): ComposerSheet {
  const file = findCaptionedFile(sheet)
  if (!file) return { ...sheet, text: words }
  return { ...sheet, files: sheet.files.map(each => (each.id === file.id ? { ...each, caption: words } : each)) }
}

/** Adds files behind those there are. What was written becomes the caption of the first one that takes it. */
export function appendFiles(sheet: ComposerSheet, added: readonly Attachment[]): ComposerSheet {
  const taker = sheet.text.trim() === '' ? undefined : added.find(hasCaption)
  const named = added.map(file => (file.id === taker?.id ? { ...file, caption: sheet.text } : file))
  const chosen = sheet.chosen ?? taker?.id ?? added[0]?.id ?? null
  return { text: taker ? '' : sheet.text, files: [...sheet.files, ...named], chosen }
}

/** Takes a file out; the words of the last one stay in the field. */
export function removeFile(sheet: ComposerSheet, id: string): ComposerSheet {
  const at = sheet.files.findIndex(file => file.id === id)
  const gone = sheet.files[at]
  if (!gone) return sheet
  const files = sheet.files.filter(file => file.id !== id)
  if (files.length === 0)
    return createEmptySheet([sheet.text, gone.caption].filter(words => words.trim() !== '').join('\n'))
  const next = files[Math.min(at, files.length - 1)]?.id ?? null
  return { ...sheet, files, chosen: sheet.chosen === id ? next : sheet.chosen }
}

/** Moves a file one place towards the beginning (-1) or the end (1). */
export function moveFile(sheet: ComposerSheet, id: string, step: -1 | 1): ComposerSheet {
  const from = sheet.files.findIndex(file => file.id === id)
  return placeFile(sheet, id, from + step)
}

/** Puts a file at a place in the order; outside of it nothing changes. */
export function placeFile(sheet: ComposerSheet, id: string, to: number): ComposerSheet {
  const file = sheet.files.find(each => each.id === id)
  if (!file || to < 0 || to >= sheet.files.length) return sheet
  const files = sheet.files.filter(each => each.id !== id)
  return { ...sheet, files: [...files.slice(0, to), file, ...files.slice(to)] }
}

/** Whether something marked as a comment hangs on a file: it would reach the customer. */
export function hasCommentOnFile({ text, files }: ComposerSheet): boolean {
  return files.length > 0 && (isComment(text) || files.some(file => isComment(file.caption)))
}

/** The first blank of all that would go out, and the sheet with its words in the field; null where nothing is left to fill in. */
export function findBlankSheet(sheet: ComposerSheet): { readonly blank: Blank; readonly sheet: ComposerSheet } | null {
  const captions = sheet.files.filter(hasCaption).map(({ id, caption }) => ({ chosen: id, words: caption }))
  for (const { chosen, words } of [{ chosen: null, words: sheet.text }, ...captions]) {
    const [blank] = listBlanks(words)
    if (blank) return { blank, sheet: { ...sheet, chosen } }
  }
  return null
}

function findCaptionedFile({ files, chosen }: ComposerSheet): Attachment | undefined {
  return files.find(file => file.id === chosen && hasCaption(file))
}
