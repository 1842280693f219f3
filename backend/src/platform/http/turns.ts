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

/**
 * Resolves when something that takes long by itself may be looked at: one in a round of the event loop, in the order in which they came.
 * What comes in one round passes every look at the clock before the first of it is worked on.
 */
export function createRounds(): () => Promise<void> {
  const line: (() => void)[] = []
  let isTaken = false
  function pass() {
    const next = line.shift()
    if (!next) {
      isTaken = false
      return
    }
    setImmediate(pass)
    next()
  }
  return async () => {
    if (isTaken) return new Promise(resolve => line.push(resolve))
    isTaken = true
    setImmediate(pass)
  }
}
