// A composer that is on its way owns the keys: what is typed from the press on stands in it, or in the conversation's draft.
import { holdLetters, insertText, lettersRest } from '@balcao/ui/actions'
import { keepDraft, leaveDraft, readDraft } from './drafts.ts'
import { focusAtEnd, takesFocus } from './use-grow.ts'

/** A composer that is not there by then does not come. */
const COMING_MS = 5000

export interface ComingComposer {
  /** The conversation is there; `lane` where it was not known before. */
  readonly stands: (lane?: number) => void
  readonly fails: () => void
}

/** Holds what is typed for the composer of a lane until one of both is said; null where the lane is made just now. */
export function awaitComposer(known: number | null): ComingComposer {
  let lane = known
  const before = document.activeElement
  // A field of the form that asked for it is no place for words to the customer.
  if (lane === null && before instanceof HTMLElement) before.blur()
  const release = holdLetters({
    isFor: field => field === findField(lane),
    keep(text) {
      const field = findField(lane)
      if (field) {
        field.setSelectionRange(field.value.length, field.value.length)
        insertText(field, text)
      } else if (lane !== null) {
        keepDraft(lane, readDraft(lane) + text)
        leaveDraft(lane)
      }
    },
  })
  return {
    stands(made) {
      lane ??= made ?? null
      release(COMING_MS)
      focusComposer(lane, performance.now() + COMING_MS)
    },
    fails() {
      release(0)
      if (known === null && before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
  }
}

/** Whether there is a composer for what is typed. */
export function hasComposer(lane: number): boolean {
  return findField(lane) !== null
}

function findField(lane: number | null): HTMLTextAreaElement | null {
  return lane === null ? null : document.querySelector<HTMLTextAreaElement>(`[data-lane="${lane}"] .k-field`)
}

/** The field may stand there already, or behind the dialog that asked for the queue. */
function focusComposer(lane: number | null, until: number): void {
  if (performance.now() > until) return
  const field = findField(lane)
  if (field === null || lettersRest()) requestAnimationFrame(() => focusComposer(lane, until))
  else if (takesFocus() && !movedOn()) focusAtEnd(field)
}

/** The person writes elsewhere by now. */
function movedOn(): boolean {
  return document.activeElement?.matches('input,textarea') === true
}
