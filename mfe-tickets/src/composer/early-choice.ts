// Enter that chooses from what is on its way: what is typed behind it comes behind what it chooses.
import { hasKeyboard, holdLetters, insertText, isHeldPlace } from '@balcao/ui/actions'
import { flushSync } from 'react-dom'
import { insertPiece } from './field.ts'

/** Holds the letters for the field. The returned function ends that, and chooses unless the person turned to something else meanwhile. */
export function holdEarlyChoice(field: HTMLTextAreaElement): (choose: (() => void) | null) => void {
  let behind: string | null = null
  const release = holdLetters({
    takesFocus: true,
    receiver: {
      lane: () => null,
      isFor: () => false,
      keep(text) {
        if (behind === null) insertText(field, text)
        else behind = text
      },
    },
  })
  return choose => {
    if (hasKeyboard() && !isHeldPlace(document.activeElement)) return release(0)
    behind = ''
    if (choose) flushSync(choose)
    // The letters come with the focus.
    field.focus({ preventScroll: true })
    if (behind !== '') insertPiece(field, behind)
    behind = null
    release(0)
  }
}
