// Work of which only so much runs at once; the rest waits in the order in which it came.

export interface WaitingLine {
  readonly waiting: number
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

/** Runs at most so many pieces of work at a time. */
export function createWaitingLine(atOnce: number): WaitingLine {
  const line: (() => void)[] = []
  let free = atOnce
  return {
    get waiting() {
      return line.length
    },
    async run(work) {
      if (free > 0) free--
      else await new Promise<void>(resolve => line.push(resolve))
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next) next()
        else free++
      }
    },
  }
}
