// Names sent off with Enter before anybody is found for them.

import { useQuery } from '@balcao/ui/ask'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface EarlyPick {
  readonly id: number
  readonly text: string
}

interface EarlyPicksOptions<Found> {
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>
  /** Takes one of those found. @returns whether there was one to take */
  readonly take: (found: readonly Found[]) => boolean
  /** Nobody is found for a text, or the search failed. */
  readonly miss: (text: string, error: unknown) => void
}

/**
 * Each text is looked for by itself, in their order, whatever is typed meanwhile. The form around `box` waits for all of them, and is not
 * sent where one found nobody.
 */
export function useEarlyPicks<Found>(box: RefObject<HTMLElement | null>, options: EarlyPicksOptions<Found>) {
  const { find, take, miss } = options
  const [waiting, setWaiting] = useState<readonly EarlyPick[]>([])
  const count = useRef(0)
  const isSubmitted = useRef(false)
  const isTaken = useRef(true)
  const first = waiting[0]
  const { now, error } = useQuery(first?.id ?? null, signal => find(first?.text ?? '', signal))
  const settle = useEffectEvent(() => {
    if (!first) return
    setWaiting(rest => rest.slice(1))
    isTaken.current = now !== null && take(now)
    if (isTaken.current) return
    isSubmitted.current = false
    miss(first.text, error)
  })
  useEffect(() => {
    if (now !== null || error !== null) settle()
  }, [now, error])

  const isWaiting = first !== undefined
  useLayoutEffect(() => {
    const form = box.current?.closest('form')
    if (!isWaiting || !form) return
    function hold(event: SubmitEvent) {
      event.preventDefault()
      event.stopPropagation()
      isSubmitted.current = true
    }
    form.addEventListener('submit', hold, true)
    return () => form.removeEventListener('submit', hold, true)
  }, [isWaiting, box])
  useEffect(() => {
    if (isWaiting || !isSubmitted.current) return
    isSubmitted.current = false
    // Sent off between the answer and its drawing, when nobody could see yet that there is nobody.
    if (isTaken.current) box.current?.closest('form')?.requestSubmit()
  }, [isWaiting, box])

  function add(text: string) {
    count.current += 1
    const pick = { id: count.current, text }
    setWaiting(before => [...before, pick])
  }
  return { waiting, add }
}
