import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useSession } from './store.ts'

/**
 * Calls each time the line is there again: what could not be had is asked for once more by itself.
 *
 * @example useLineBack(load)
 */
export function useLineBack(again: () => void) {
  const isLive = useSession().connection.state === 'live'
  const wasLive = useRef(isLive)
  const tryAgain = useEffectEvent(again)
  useEffect(() => {
    const isBack = isLive && !wasLive.current
    wasLive.current = isLive
    if (isBack) tryAgain()
  }, [isLive])
  // From the moment the failure is shown: the line may be back the next.
  useLayoutEffect(() => {
    const onOnline = () => tryAgain()
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [])
}
