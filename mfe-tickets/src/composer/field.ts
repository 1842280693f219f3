// Writing into the field as the person would, so that undo works and the field's own event tells of it.
import type { Replacement } from './formatting.ts'
import { listBlanks } from './wording.ts'

export function replaceText(field: HTMLTextAreaElement, { from, to, piece, start, end }: Replacement) {
  field.focus({ preventScroll: true })
  field.setSelectionRange(from, to)
  // The only way that keeps the browser's undo; where it is gone the text still arrives.
  const done = document.execCommand(piece === '' ? 'delete' : 'insertText', false, piece)
  if (!done) {
    field.setRangeText(piece, from, to)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(start, end)
}

/** Puts a piece where the caret is, in place of what is selected. */
export function insertPiece(field: HTMLTextAreaElement, piece: string) {
  const { selectionStart: from, selectionEnd: to } = field
  replaceText(field, { from, to, piece, start: from + piece.length, end: from + piece.length })
}

/** Marks the next blank behind the caret, or the one before it, so that typing fills it in. @returns whether there is one */
export function markNextBlank(field: HTMLTextAreaElement, isBack: boolean): boolean {
  const { value, selectionStart, selectionEnd } = field
  const blanks = listBlanks(value)
  const next = isBack
    ? blanks.findLast(({ to }) => to <= selectionStart)
    : blanks.find(({ from }) => from >= selectionEnd)
  if (next) field.setSelectionRange(next.from, next.to)
  return next !== undefined
}
