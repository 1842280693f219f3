// A page that stays open over midnight: what meant today, the last days or this month then means the new ones.
import { toCompanyDay } from '@balcao/ui/i18n'
import { useEffect, useRef } from 'react'

type DayChangeListener = (then: string, now: string) => void

/** At midnight a few seconds late; timers of a page that nobody sees stand still, so it looks again when somebody does. */
const LOOK_MS = 5000

/** Tells when a day of the company is over, which it was and which is now; gives what ends that. */
export function onDayChange(listener: DayChangeListener): () => void {
  let then = toCompanyDay(new Date())
  function check() {
    const now = toCompanyDay(new Date())
    if (now === then) return
    listener(then, now)
    then = now
  }
  const timer = setInterval(check, LOOK_MS)
  document.addEventListener('visibilitychange', check)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
  }
}

/** The same for as long as a page is there. */
export function useNextDay(listener: DayChangeListener): void {
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  useEffect(() => onDayChange((then, now) => newest.current(then, now)), [])
}
