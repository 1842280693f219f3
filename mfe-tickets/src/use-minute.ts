// One clock for everything that shows elapsed minutes, so rows do not each keep a timer.
import { useSyncExternalStore } from 'react'

let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The time, a new one every 30 s. */
export function useMinute(): Date {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) now = new Date()
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = new Date()
    for (const each of listeners) each()
  }, 30_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
