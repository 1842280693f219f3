// Writing into the field as the person would, so that undo works and the field's own event tells of it.
import type { Replacement } from './formatting.ts'

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
