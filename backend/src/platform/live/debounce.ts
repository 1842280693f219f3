// Many wishes become one piece of work, a little after the first; one piece after the other.

export interface Debouncer {
  soon(): void
  /** Resolves once the piece that is under way has ended. */
  stop(): Promise<void>
}

/** What fails is told to `failed`; the next wish tries again. */
export function createDebouncer(ms: number, work: () => Promise<void>, failed: (error: unknown) => void): Debouncer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve()
  let isStopped = false
  return {
    soon() {
      if (isStopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        running = running.then(work).catch(error => {
          if (!isStopped) failed(error)
        })
      }, ms)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
