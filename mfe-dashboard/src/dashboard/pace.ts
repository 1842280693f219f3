// When the numbers are fetched again: after 60 s, and soon after something happened, but never for every single event.

/** Time between two refreshes, shown as a countdown (spec 1 §9). */
export const EVERY_MS = 60_000
/** While numbers are counted anew, of which no event tells. */
export const COUNTING_MS = 3000
/** Rest after a live event before the numbers are fetched. */
export const REST_MS = 1000
/** With events coming without a pause the numbers are still fetched this often. */
export const LATEST_MS = 5000

/**
 * When to fetch after an event at `now`: 1 s after the last event, at the latest 5 s after the first of the row.
 * `firstAt` is when the first event since the last fetch came, null if this is it. All in milliseconds.
 */
export function computeDueTime(now: number, firstAt: number | null) {
  return Math.min(now + REST_MS, (firstAt ?? now) + LATEST_MS)
}

/** Runs something when events have come to rest, or go on for too long: `happened` is told of each. */
export function createPacer(run: () => void) {
  let firstAt: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    happened() {
      const now = Date.now()
      const due = computeDueTime(now, firstAt)
      firstAt ??= now
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          firstAt = null
          run()
        },
        Math.max(0, due - now),
      )
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * One round of calls at a time: what is asked for while one is under way is asked once more when that has ended, so that however much
 * happens meanwhile some numbers come. `restart` does not wait for it. `run` never throws.
 */
export function createRounds(run: (signal: AbortSignal) => Promise<void>) {
  let round: AbortController | null = null
  let isAsked = false
  async function begin() {
    round?.abort()
    const own = new AbortController()
    round = own
    isAsked = false
    await run(own.signal)
    if (round !== own) return
    round = null
    if (isAsked) await begin()
  }
  return {
    ask() {
      if (round) isAsked = true
      else void begin()
    },
    restart: () => void begin(),
    stop() {
      round?.abort()
      round = null
    },
  }
}

/** Whole seconds until `nextAt`, from 60 down to 0, also on a clock that is a little behind. */
export function countSecondsLeft(nextAt: number, now: number) {
  return Math.min(EVERY_MS / 1000, Math.max(0, Math.ceil((nextAt - now) / 1000)))
}
