// How our programs end: politely at the first signal, at once when somebody insists.
import { constants } from 'node:os'

/** A terminal tells every process of Ctrl+C, and a parent tells its child again: that is one word, not two. */
const SAME_WORD_MS = 1000
/** What cannot end, as with a database that hangs, is ended: after a kill nothing is lost either. */
const LONGEST_MS = 30_000

/**
 * Runs `work` when the process is asked to end (SIGINT, SIGTERM, SIGHUP), then ends it: 128 + the signal's number, or 1 when the work
 * failed or somebody insisted. Returns the same for who ends it from within, with a status of their own; where it ends already, that
 * changes nothing.
 */
export function runOnShutdown(work: () => Promise<void>): (status: number) => void {
  let begun: number | undefined
  function end(status: number): void {
    begun = performance.now()
    setTimeout(() => {
      console.error(`Not ended within ${LONGEST_MS / 1000} s: ended now`)
      process.exit(1)
    }, LONGEST_MS)
    work().then(
      () => process.exit(status),
      error => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  function hear(signal: NodeJS.Signals): void {
    if (begun === undefined) end(128 + constants.signals[signal])
    else if (performance.now() - begun > SAME_WORD_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => hear(signal))
  return status => {
    if (begun === undefined) end(status)
  }
}
