import type { Erasure } from '@balcao/contract'
import { useEffect } from 'react'

const LOOK_MS = 5000
/** Clocks differ. */
const SOON_MS = 60_000

/** Asks again now and then while an erasure is under way or about to be: it goes by itself, and no event tells of it. */
export function useFollowed(erasures: readonly Erasure[], again: () => void) {
  const live = erasures.filter(({ state }) => state === 'waiting' || state === 'running')
  const soonest = Math.min(...live.map(({ dueAt }) => Date.parse(dueAt)))
  useEffect(() => {
    if (soonest === Number.POSITIVE_INFINITY) return
    const timer = setInterval(() => {
      if (soonest < Date.now() + SOON_MS) again()
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [soonest, again])
}
