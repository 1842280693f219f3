// A sign-out that the server has not heard of yet. Until it has, the cookies of whoever left are still here and good: they open the desk
// to nobody any more, and the server is told as soon as it answers, by whichever page of this browser is there (docs/decisions/0021).
import { api } from '@balcao/ui/api'
import { remember, runExclusively } from '@balcao/ui/browser'

const MARK = 'balcao.leaving'
/** An answer that takes longer is asked for again, and so is what failed, ms. */
const PATIENCE_MS = 5000
let again: ReturnType<typeof setTimeout> | undefined
/** Where the storage takes no mark, this page alone knows of it. */
let isUnmarked = false

export function isLeaving() {
  return isUnmarked || localStorage.getItem(MARK) !== null
}

/** Before anything else of a sign-out: what comes after may never come. */
export function markLeaving() {
  isUnmarked = !remember(MARK, '1')
}

/** Somebody came in another tab: there the sign-out has ended, and the cookies are theirs. */
export function unmarkLeaving() {
  isUnmarked = false
}

/** Tells the server, if it is to be told, and goes on until it has answered. */
export function finishLeaving(): Promise<void> {
  clearTimeout(again)
  return endLeaving(async () => {
    if (isLeaving()) await api('DELETE /auth/logout', { signal: AbortSignal.timeout(PATIENCE_MS) })
  }).catch(() => {
    again = setTimeout(() => void finishLeaving(), PATIENCE_MS)
  })
}

/** Does what ends a sign-out: two at once would meet one another's cookies. */
export function endLeaving<T>(work: () => Promise<T>): Promise<T> {
  return runExclusively(`${MARK}.lock`, async () => {
    const answer = await work()
    isUnmarked = false
    localStorage.removeItem(MARK)
    return answer
  })
}
