// Work on passwords takes 19 MiB and a core each: only few at once in a process, the others stand in line.
import { createRateLimitError } from '../../platform/http/errors.ts'

const AT_ONCE = 4
const LONGEST_LINE = 500

const line: (() => void)[] = []
let free = AT_ONCE

/** Does the work when its turn comes. Throws 429 `ERR_TOO_MANY_ATTEMPTS` when the line is too long. */
export async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--
  else if (line.length >= LONGEST_LINE) throw createRateLimitError(5)
  else await new Promise<void>(turn => line.push(turn))
  try {
    return await work()
  } finally {
    const next = line.shift()
    if (next) next()
    else free++
  }
}
