// Many wishes become one piece of work, a little after the first.
import type { Logger } from 'pino'

const GATHER_MS = 200

export interface Debouncer {
  soon(): void
  stop(): void
}

/** What fails is written down; the next wish tries again. */
export function createDebouncer(work: () => Promise<void>, log: Pick<Logger, 'warn'>): Debouncer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  return {
    soon() {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        work().catch(error => log.warn({ err: error }, 'web push was not asked for'))
      }, GATHER_MS)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
