// Requests that come in one piece are answered in turns: whoever sends thousands at once waits for them, and nobody else does.

/** Of the event loop, in ms. */
const LONGEST_TURN = 10

/** Resolves when a request may be looked at: at once, unless those before it have had the whole turn. */
export function createTurns(): () => Promise<void> {
  let since: number | null = null
  return async () => {
    while (since !== null && performance.now() - since > LONGEST_TURN) await new Promise(setImmediate)
    if (since !== null) return
    since = performance.now()
    setImmediate(() => {
      since = null
    })
  }
}
