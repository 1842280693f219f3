import { useEffect, useState } from 'react'

/** An answer mostly comes before anybody would want to leave. */
const SLOW_MS = 3000

/** Whether it has been under way for so long that whoever waits may leave: over a line that is gone no answer may come for minutes. */
export function useSlow(isUnderWay: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isUnderWay])
  return isUnderWay && isSlow
}
