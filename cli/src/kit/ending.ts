// How a command ends, whoever ends it: what it holds is given back, the terminal is as it was before.
export interface Ending {
  /** Aborted when somebody stops the command. */
  readonly signal: AbortSignal
  /** Done when the command ends or is stopped, last registered first; returns how to take it back. */
  onEnd(work: () => unknown): () => void
  /** Ends the command by itself: what was registered is done. */
  finish(): Promise<void>
  /** Somebody stopped it: 130 for Ctrl+C. */
  leave(exitCode: number): Promise<never>
}

/** How long what is given back may take; who presses Ctrl+C again does not wait for it. */
const PATIENCE = 10_000
const ONE_PRESS = 500
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Takes the signals of this process. */
export function takeEnding(): Ending {
  const stop = new AbortController()
  const works: (() => unknown)[] = []
  let leftAt: number | null = null

  async function finish() {
    // What cannot be given back keeps nothing else from it.
    for (let work = works.pop(); work; work = works.pop()) await done(work).catch(() => undefined)
  }

  async function leave(exitCode: number): Promise<never> {
    if (leftAt !== null) {
      // One press may come by two ways, from the terminal and from whoever started us. Who presses twice wants out now.
      if (Date.now() - leftAt < ONE_PRESS) return new Promise(() => undefined)
      restoreTerminal()
      process.exit(exitCode)
    }
    leftAt = Date.now()
    stop.abort()
    const enough = new Promise(resolve => setTimeout(resolve, PATIENCE).unref())
    await Promise.race([finish(), enough])
    restoreTerminal()
    process.exit(exitCode)
  }

  for (const [name, code] of Object.entries(SIGNALS))
    process.on(name, () => {
      leave(code).catch(() => process.exit(code))
    })
  return {
    signal: stop.signal,
    onEnd(work) {
      works.push(work)
      return () => {
        const at = works.indexOf(work)
        if (at >= 0) works.splice(at, 1)
      }
    },
    finish,
    leave,
  }
}

async function done(work: () => unknown) {
  await work()
}

/** Keys are echoed and the cursor is seen, whatever was drawn. */
function restoreTerminal() {
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  if (process.stdout.isTTY) process.stdout.write('\u001b[?25h')
}
