// What lies in the composer that is open, for whoever sends it in another way than at once.
import { isComment } from '@balcao/contract/messages/comments'
import { keepSheet, leaveDraft, readSheet } from './drafts.ts'
import {
  type ComposerSheet,
  findBlankSheet,
  getSheetText,
  hasCommentOnFile,
  joinSheets,
  setSheetText,
} from './sheet.ts'

export interface ComposerAtHand {
  readonly lane: number
  /** Null where it is no message to the customer: a comment, a change of an older one. */
  readonly read: () => ComposerSheet | null
  /** What lies there, whatever it is. */
  readonly getSheet: () => ComposerSheet | null
  readonly fill: (text: string) => string
  readonly replace: (sheet: ComposerSheet) => void
}

export interface ComposerParcel {
  readonly sheet: ComposerSheet
  readonly message: string
  readonly file: File | null
}

let atHand: ComposerAtHand | null = null

/** Until the returned function is called. */
export function putAtHand(composer: ComposerAtHand): () => void {
  atHand = composer
  return () => {
    if (atHand === composer) atHand = null
  }
}

/** The words and the first file; they stay there as well. Null where there is nothing, only a comment for the team, or something left to fill in. */
export function readParcel(lane: number): ComposerParcel | null {
  const composer = findAtHand(lane)
  const sheet = composer ? composer.read() : readSheet(lane)
  if (!sheet || isComment(sheet.text) || hasCommentOnFile(sheet) || findBlankSheet(sheet)) return null
  const [first] = sheet.files
  const words = [sheet.text, first?.caption ?? ''].filter(text => text.trim() !== '').join('\n')
  if (words === '' && !first) return null
  return { sheet, message: composer?.fill(words) ?? words, file: first?.file ?? null }
}

/** It went another way: further files stay, and so does what was written since. */
export function dropParcel(lane: number, { sheet }: ComposerParcel): void {
  const files = sheet.files.slice(1)
  const rest = { text: '', files, chosen: files[0]?.id ?? null }
  const composer = findAtHand(lane)
  if (composer?.read() === sheet) composer.replace(rest)
  else if (!composer && getSheetText(readSheet(lane)) === getSheetText(sheet)) {
    keepSheet(lane, rest)
    leaveDraft(lane)
  }
}

/** It did not go out: it lies there again, before what was written since. `isStored`: what was opened since began with its words. */
export function returnSheet(lane: number, sheet: ComposerSheet, isStored: boolean): void {
  const words = getSheetText(sheet)
  changeAtHand(lane, (since, isOpen) => joinSheets(sheet, isStored || !isOpen ? takeOutWords(since, words) : since))
}

/** What was stored while it was on its way has gone out: it lies there no more, unless it was written on in. */
export function dropStored(lane: number, words: string): void {
  changeAtHand(lane, since => takeOutWords(since, words))
}

function takeOutWords(sheet: ComposerSheet, words: string): ComposerSheet {
  return getSheetText(sheet) === words ? setSheetText(sheet, '') : sheet
}

/** In the composer that is open, else in what is kept for it. */
function changeAtHand(lane: number, change: (sheet: ComposerSheet, isOpen: boolean) => ComposerSheet) {
  const composer = findAtHand(lane)
  const open = composer?.getSheet() ?? null
  const sheet = open ?? readSheet(lane)
  const changed = change(sheet, open !== null)
  if (composer && open) {
    if (changed !== sheet) composer.replace(changed)
    return
  }
  if (changed !== sheet) keepSheet(lane, changed)
  leaveDraft(lane)
}

function findAtHand(lane: number): ComposerAtHand | null {
  return atHand?.lane === lane ? atHand : null
}
