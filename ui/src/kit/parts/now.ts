import { useEffect, useState } from 'react'

/**
 * The time in milliseconds, drawn again at every step while `on`; for countdowns and 'há 12 s'.
 *
 * @example const now = useNow(1000)
 */
export function useNow(stepMs: number, on = true) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!on) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs, on])
  return now
}
