// Work on passwords takes 19 MiB and a core each: only few at once in a process, the others stand in line.
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import { createRateLimitError } from '../../platform/http/errors.ts'

const LONGEST_LINE = 500
const passwords = createWaitingLine(4)

/** Does the work when its turn comes. Throws 429 `ERR_TOO_MANY_ATTEMPTS` when the line is too long. */
export async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
  if (passwords.waiting >= LONGEST_LINE) throw createRateLimitError(5)
  return passwords.run(work)
}
