// The session scope: whatever is made for a person is made with their signal and ends with it, so that nothing of one person
// reaches the next who signs in on the same page (decision 0160). The time between two persons is a scope too.
import { proxy } from 'valtio'

let ending = new AbortController()
const resets = new Set<() => void>()

/** Ends when this person leaves, or when somebody comes while nobody is here. */
export function getSessionSignal(): AbortSignal {
  return ending.signal
}

/** Ends what was made for whoever was here. Only the shell calls it, when somebody comes or leaves. */
export function endSession() {
  const former = ending
  ending = new AbortController()
  former.abort(new DOMException('This person has left', 'AbortError'))
  for (const reset of resets) reset()
}

const goodbyes = new Set<() => void>()

/** Somebody leaves of their own will: what was kept for their coming back goes with them. Only the shell calls it. */
export function forgetPerson() {
  for (const forget of goodbyes) forget()
}

/** Does something when somebody leaves of their own will, not when the server ends the session. */
export function onSignOut(forget: () => void) {
  goodbyes.add(forget)
}

/** Does something at each turn. */
export function onSessionEnd(reset: () => void) {
  resets.add(reset)
}

/**
 * Something made once for each person, when it is first asked for.
 *
 * @example export const stores = keepPerSession(signal => new Stores(session.user, signal))
 */
export function keepPerSession<T>(make: (signal: AbortSignal) => T): () => T {
  let made: { readonly signal: AbortSignal; readonly value: T } | undefined
  onSessionEnd(() => {
    made = undefined
  })
  return () => {
    if (made?.signal !== ending.signal) made = { signal: ending.signal, value: make(ending.signal) }
    return made.value
  }
}

/** State that components read with `useSnapshot`; the next person finds it as it began. */
export function keepSessionState<T extends object>(initial: () => T): T {
  const state = proxy(initial())
  onSessionEnd(() => {
    for (const key of Object.keys(state)) Reflect.deleteProperty(state, key)
    Object.assign(state, initial())
  })
  return state
}
