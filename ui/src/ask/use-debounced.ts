import { useEffect, useState } from 'react'

/** A text that follows only after it has rested for `ms`; emptying it takes effect at once. */
export function useDebounced(value: string, ms: number) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
