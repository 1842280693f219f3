// The send that somebody is writing: it stands there still when they come back from another page, under the id it was begun with, so that
// it goes out once however often it is tried.
import { newId } from '@balcao/ui/browser'
import { ofSession } from '@balcao/ui/session'
import { EMPTY, type Fields } from './form.ts'

interface Unsent {
  readonly fields: Fields
  readonly clientId: string
}

const kept = ofSession<{ unsent: Unsent | null }>(() => ({ unsent: null }))

export function beginSend(): Unsent {
  return kept().unsent ?? { fields: EMPTY, clientId: newId() }
}

/** Null: it went out, or nobody wants it any more. */
export function keepUnsent(unsent: Unsent | null): void {
  kept().unsent = unsent
}
