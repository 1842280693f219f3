import { useTexts } from '@balcao/ui/i18n'
import { Button } from '@balcao/ui/parts'
import { useEffect, useEffectEvent, useRef } from 'react'

/** Distance from the bottom at which the next page is fetched (spec 3 §9). */
const AHEAD = 100

interface MoreProps {
  readonly state: 'idle' | 'loading' | 'failed'
  readonly onMore: () => void
}

/** The end of the list: fetches the next page when it comes within 100 px of the screen. */
export function More({ state, onMore }: MoreProps) {
  const t = useTexts('automation')
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
      {state === 'loading' && t('loadingMore')}
      {state === 'failed' && (
        <>
          {t('moreFailed')}
          <Button size="small" onClick={onMore}>
            {t('retry')}
          </Button>
        </>
      )}
    </div>
  )
}
