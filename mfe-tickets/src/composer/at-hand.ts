// What lies in the composer that is open, for whoever sends it in another way than at once.
import { isComment } from '@balcao/contract/messages/comments'
import { keepDraft, leaveDraft, readDraft } from './drafts.ts'
import { type ComposerSheet, createEmptySheet, findBlankSheet, hasCommentOnFile } from './sheet.ts'

export interface ComposerAtHand {
  readonly lane: number
  /** Null where it is no message to the customer: a comment, a change of an older one. */
  readonly read: () => ComposerSheet | null
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
  const composer = atHand?.lane === lane ? atHand : null
  const sheet = composer ? composer.read() : createEmptySheet(readDraft(lane))
  if (!sheet || isComment(sheet.text) || hasCommentOnFile(sheet) || findBlankSheet(sheet)) return null
  const [first] = sheet.files
  const words = [sheet.text, first?.caption ?? ''].filter(text => text.trim() !== '').join('\n')
  if (words === '' && !first) return null
  return { sheet, message: composer?.fill(words) ?? words, file: first?.file ?? null }
}

/** It went another way: further files stay, and so does what was written since. */
export function dropParcel(lane: number, { sheet }: ComposerParcel): void {
  const files = sheet.files.slice(1)
  const composer = atHand?.lane === lane ? atHand : null
  if (composer?.read() === sheet) composer.replace({ text: '', files, chosen: files[0]?.id ?? null })
  else if (!composer && readDraft(lane) === sheet.text) {
    keepDraft(lane, '')
    leaveDraft(lane)
  }
}
