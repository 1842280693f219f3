// How a command ends, whoever ends it: what it holds is given back, the terminal is as it was before.
import { canBeSteered } from './out.ts'

export interface Ending {
  /** Aborted when somebody stops the command. */
  readonly signal: AbortSignal
  /** Something is on its way: who is stopped waits for what becomes of it. `isKnown`: whether that is known now. */
  underWay(isKnown: Promise<boolean>): void
  /**
   * Done when the command ends or is stopped, last registered first; returns how to take it back. With `takesLong` it is waited for however
   * long it takes, since what it removes must not stay; that is called when it takes a while.
   */
  onEnd(work: () => unknown, takesLong?: () => void): () => void
  /** Ends the command by itself: what was registered is done. */
  finish(): Promise<void>
  /** Somebody stopped it: 130 for Ctrl+C. */
  leave(exitCode: number): Promise<never>
}

/** How long most of what is given back may take; who presses Ctrl+C again does not wait for it. */
const PATIENCE = 10_000
const ONE_PRESS = 500
/** What is known sooner is told by its answer. */
const QUICK = 500
/** What stops a command, and the exit code that says so. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** What is said of what is on its way when somebody stops the command. */
export interface EndingMessages {
  /** It is waited for; a second press does not. */
  waits(): void
  /** Nobody knows whether it was done. */
  unsure(): void
}

/** Takes the signals of this process. */
export function takeEnding(words: EndingMessages): Ending {
  const stop = new AbortController()
  const works: EndingWork[] = []
  const onWay = new Set<Promise<boolean>>()
  let leftAt: number | null = null

  async function finish() {
    // What cannot be given back keeps nothing else from it.
    for (let each = works.pop(); each; each = works.pop()) {
      const notice = each.takesLong && setTimeout(each.takesLong, QUICK)
      await done(each.work).catch(() => undefined)
      clearTimeout(notice)
    }
    // What is still on its way through a pipe would be cut off by the exit.
    const streams = [process.stdout, process.stderr]
    await Promise.all(streams.map(stream => new Promise(resolve => stream.write('', resolve))))
    // That it could not be written is only heard after this.
    await new Promise(resolve => setTimeout(resolve, 0))
  }

  /** Until what is on its way is known, and the command has told it. */
  async function outcome(enough: Promise<unknown>) {
    if (onWay.size === 0) return
    const notice = setTimeout(words.waits, QUICK)
    const known = await Promise.race([Promise.all(onWay), enough])
    clearTimeout(notice)
    if (!Array.isArray(known) || known.includes(false)) words.unsure()
    await new Promise(resolve => setTimeout(resolve, 0))
  }

  async function leave(exitCode: number): Promise<never> {
    if (leftAt !== null) {
      // One press may come by two ways, from the terminal and from whoever started us. Who presses twice wants out now.
      if (Date.now() - leftAt < ONE_PRESS) return new Promise(() => undefined)
      if (onWay.size > 0) words.unsure()
      restoreTerminal()
      process.exit(exitCode)
    }
    leftAt = Date.now()
    stop.abort()
    const enough = new Promise(resolve => setTimeout(resolve, PATIENCE))
    await outcome(enough)
    const isWaitedFor = works.some(({ takesLong }) => takesLong !== undefined)
    await (isWaitedFor ? finish() : Promise.race([finish(), enough]))
    restoreTerminal()
    process.exit(exitCode)
  }

  for (const name of SIGNALS)
    process.on(name, () => {
      const code = EXIT_CODES[name]
      leave(code).catch(() => process.exit(code))
    })
  return {
    signal: stop.signal,
    underWay(isKnown) {
      onWay.add(isKnown)
      void isKnown.then(() => onWay.delete(isKnown))
    },
    onEnd(work, takesLong) {
      const each = { work, takesLong }
      works.push(each)
      return () => {
        const at = works.indexOf(each)
        if (at >= 0) works.splice(at, 1)
      }
    },
    finish,
    leave,
  }
}

interface EndingWork {
  readonly work: () => unknown
  readonly takesLong: (() => void) | undefined
}

async function done(work: () => unknown) {
  await work()
}

/** Keys are echoed and the cursor is seen, whatever was drawn. */
function restoreTerminal() {
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  if (process.stdout.isTTY && canBeSteered(process.env)) process.stdout.write('\u001b[?25h')
}
