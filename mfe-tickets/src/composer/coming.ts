// A composer that is on its way owns the keys: what is typed from the press on stands in it, or in the conversation's draft.
import { areLettersPaused, holdLetters, insertText, isHeldPlace } from '@balcao/ui/actions'
import { useEffect, useLayoutEffect } from 'react'
import { view } from '../desk/view.ts'
import { keepDraft, leaveDraft, readDraft } from './drafts.ts'
import { canTakeFocus, focusAtEnd } from './use-grow.ts'

/** A composer that is not there by then does not come. */
const COMING_MS = 5000

export interface ComingComposer {
  /** The conversation is there; `lane` where it was not known before. */
  readonly stands: (lane?: number) => void
  /** 'refused': of what was asked for, which who writes on may not have seen yet. */
  readonly fails: (how?: 'refused') => void
}

interface AwaitOptions {
  /** Gets the words that find no composer. */
  readonly onKept?: (text: string) => void
  /** Escape does not end what is under way. */
  readonly isCertain?: boolean
}

/** Holds what is typed for the composer of a lane until one of both is said; null where the lane is made just now. */
export function awaitComposer(known: number | null, { onKept, isCertain }: AwaitOptions = {}): ComingComposer {
  let lane = known
  const before = document.activeElement
  // A field of the form that asked for it is no place for words to the customer.
  if (lane === null && before instanceof HTMLElement) before.blur()
  const release = holdLetters({
    takesFocus: true,
    isCertain,
    receiver: {
      lane: () => lane,
      isFor: field => field === findField(lane),
      keep(text) {
        const field = findField(lane)
        if (field) {
          field.setSelectionRange(field.value.length, field.value.length)
          insertText(field, text)
        } else if (lane !== null) {
          keepDraft(lane, readDraft(lane) + text)
          leaveDraft(lane)
        } else onKept?.(text)
      },
    },
  })
  return {
    stands(made) {
      lane ??= made ?? null
      release(COMING_MS)
      focusComposer(lane, performance.now() + COMING_MS)
    },
    fails(how) {
      release(how ?? 0)
      const isWriting = isHeldPlace(document.activeElement)
      if (known === null && before instanceof HTMLElement && !isWriting) before.focus({ preventScroll: true })
    },
  }
}

/** The conversation that the address leads to, until it is seen what stands there. */
let opening: ComingComposer | null = null

/** However one comes to a conversation, what is typed meanwhile is for its composer; J and K write nothing. */
export function useHeldOpening(lane: number | null, isShut: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what becomes of it later is said by what stands there
  useLayoutEffect(() => {
    if (lane === null || isShut || view.steppedTo === lane) return
    const own = awaitComposer(lane)
    opening = own
    return () => {
      own.fails()
      if (opening === own) opening = null
    }
  }, [lane])
}

/** Said by what stands where the conversation was on its way to: a composer, or words on why there is none. */
export function useOpeningEnds(how: 'stands' | 'fails') {
  useEffect(() => {
    opening?.[how]()
    opening = null
  }, [how])
}

function findField(lane: number | null): HTMLTextAreaElement | null {
  return lane === null ? null : document.querySelector<HTMLTextAreaElement>(`[data-lane="${lane}"] .k-field`)
}

/** The field may stand there already, or behind the dialog that asked for the queue. */
function focusComposer(lane: number | null, until: number): void {
  if (performance.now() > until) return
  const field = findField(lane)
  if (field === null || areLettersPaused()) requestAnimationFrame(() => focusComposer(lane, until))
  else if (canTakeFocus() && !hasMovedOn()) focusAtEnd(field)
}

/** The person writes elsewhere by now. */
function hasMovedOn(): boolean {
  const now = document.activeElement
  return now?.matches('input,textarea') === true && !isHeldPlace(now)
}
