import { useEffect, useState } from 'react'

/** The time in milliseconds, drawn again at every step. */
export function useNow(stepMs: number) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}
