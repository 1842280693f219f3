// What was written into a form that was left without an answer, by a click in the menu, the browser's Back or the end of the working hours:
// it stands there still when the same person opens that form again, and the browser asks before the page is loaded anew or closed.
import { keepPerSession, onSignOut, session } from '@balcao/ui/session'

export interface UnsavedForm<F> {
  readonly fields: F
  /** What it was written over, and which version of the thing that was. */
  readonly base: F
  readonly version: number | undefined
  /** As what something new is asked for, also when it is tried again. */
  readonly clientId: string
}

/** By person: whose session the server ended finds it there when they come back. */
const leftBy = new Map<number, Map<string, unknown>>()
onSignOut(() => leftBy.delete(session.user?.id ?? 0))

const left = keepPerSession(signal => {
  const userId = session.user?.id
  const forms = (userId && leftBy.get(userId)) || new Map<string, unknown>()
  if (userId) leftBy.set(userId, forms)
  const hold = (event: BeforeUnloadEvent) => event.preventDefault()
  const turn = () => {
    if (forms.size > 0) window.addEventListener('beforeunload', hold, { signal })
    else window.removeEventListener('beforeunload', hold)
  }
  turn()
  return { forms, turn }
})

/** What was left in the form of this name; only that form keeps anything under it. */
export function findUnsavedForm<F>(name: string | undefined): UnsavedForm<F> | null {
  return name === undefined ? null : ((left().forms.get(name) as UnsavedForm<F> | undefined) ?? null)
}

/** Null: it was saved, or nobody wants it any more. */
export function keepUnsavedForm<F>(name: string, form: UnsavedForm<F> | null): void {
  const { forms, turn } = left()
  if (form) forms.set(name, form)
  else forms.delete(name)
  turn()
}
