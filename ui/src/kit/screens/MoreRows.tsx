import { Button } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useKitTexts } from './texts.ts'

/** Distance from the bottom at which the next page is fetched (spec 3 §9). */
const AHEAD = 100

interface MoreRowsProps {
  readonly state: 'idle' | 'loading' | 'failed'
  readonly onMore: () => void
}

/** The end of a list that goes on: fetches the next page when it comes within 100 px of the screen. */
export function MoreRows({ state, onMore }: MoreRowsProps) {
  const kit = useKitTexts()
  const end = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onMore)
  useEffect(() => {
    if (state !== 'idle' || !end.current) return
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && near(), {
      root: end.current.closest('.b-page'),
      rootMargin: `0px 0px ${AHEAD}px 0px`,
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [state])
  return (
    <div ref={end} className="flex min-h-12 items-center justify-center gap-3 text-small text-text-2" role="status">
      {state === 'loading' && (
        <>
          <span className="b-spinner" aria-hidden="true" />
          {kit('moreComing')}
        </>
      )}
      {state === 'failed' && (
        <>
          {kit('moreFailed')}
          <Button size="small" kind="plain" onClick={onMore}>
            {kit('retry')}
          </Button>
        </>
      )}
    </div>
  )
}
