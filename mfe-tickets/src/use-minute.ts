// One clock for everything that shows times and elapsed minutes, so rows do not each keep a timer.
import { onTimezoneChange } from '@balcao/ui/i18n'
import { useSyncExternalStore } from 'react'

let now = new Date()
let stop: (() => void) | undefined
const listeners = new Set<() => void>()

/** The time: a new one every 30 s, and when the company's time zone becomes another one. */
export function useMinute(): Date {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) now = new Date()
  listeners.add(listener)
  stop ??= start()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
  }
}

function start() {
  const tick = () => {
    now = new Date()
    for (const each of listeners) each()
  }
  const timer = setInterval(tick, 30_000)
  const forget = onTimezoneChange(tick)
  return () => {
    clearInterval(timer)
    forget()
  }
}
