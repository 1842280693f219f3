import { useEffect, useEffectEvent, useRef } from 'react'

/** Something to do a moment after it was asked for, once however often. */
export function useSoon(work: () => void, ms = 500): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const run = useEffectEvent(work)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = useRef(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => run(), ms)
  })
  return ask.current
}
