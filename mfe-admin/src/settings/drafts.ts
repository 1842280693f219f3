// What was begun on the page of settings and not saved: it stands there still when the same person comes back to it.
import { keepSessionState } from '@balcao/ui/session'
import { useState } from 'react'
import { useSnapshot } from 'valtio'

type Drafts<T> = Record<string, T>

/** Drafts by name, of one person. */
export function keepDrafts<T>(): Drafts<T> {
  return keepSessionState((): Drafts<T> => ({}))
}

/** State of a row that outlives the row; `none` keeps nothing. `forget` keeps it no longer, and leaves it shown. */
export function useStoredDraft<T>(drafts: Drafts<T>, name: string, none: T) {
  const [value, show] = useState(() => drafts[name] ?? none)
  function forget() {
    delete drafts[name]
  }
  function keep(next: T) {
    if (next === none) forget()
    else drafts[name] = next
    show(next)
  }
  return [value, keep, forget] as const
}

/** The names of all drafts, also of rows that are not shown. */
export function useDraftNames(drafts: Drafts<unknown>): readonly string[] {
  return Object.keys(useSnapshot(drafts))
}
