// What was written into a form that was left without an answer, by a click in the menu or the browser's Back: it stands there still when
// the same person opens that form again, and the browser asks before the page is loaded anew or closed.
import { ofSession } from '@balcao/ui/session'

export interface LeftForm<F> {
  readonly fields: F
  /** What it was written over, and which version of the thing that was. */
  readonly base: F
  readonly version: number | undefined
  /** As what something new is asked for, also when it is tried again. */
  readonly clientId: string
}

const left = ofSession(signal => {
  const forms = new Map<string, unknown>()
  const hold = (event: BeforeUnloadEvent) => event.preventDefault()
  return {
    forms,
    turn() {
      if (forms.size > 0) window.addEventListener('beforeunload', hold, { signal })
      else window.removeEventListener('beforeunload', hold)
    },
  }
})

/** What was left in the form of this name; only that form keeps anything under it. */
export function leftForm<F>(name: string | undefined): LeftForm<F> | null {
  return name === undefined ? null : ((left().forms.get(name) as LeftForm<F> | undefined) ?? null)
}

/** Null: it was saved, or nobody wants it any more. */
export function keepForm<F>(name: string, form: LeftForm<F> | null): void {
  const { forms, turn } = left()
  if (form) forms.set(name, form)
  else forms.delete(name)
  turn()
}
