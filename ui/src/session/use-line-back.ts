import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useSession } from './store.ts'

/**
 * Calls each time the line is there again: what could not be had is asked for once more by itself. `isFirst`: it has come for the first
 * time since the page was opened, and none was lost before.
 *
 * @example useLineBack(load)
 */
export function useLineBack(again: (isFirst: boolean) => void) {
  const { state } = useSession().connection
  const before = useRef(state)
  const tryAgain = useEffectEvent(again)
  useEffect(() => {
    const former = before.current
    before.current = state
    if (state === 'live' && former !== 'live') tryAgain(former === 'connecting')
  }, [state])
  // From the moment the failure is shown: the line may be back the next.
  useLayoutEffect(() => {
    const onOnline = () => tryAgain(false)
    window.addEventListener('online', onOnline)
    return () => window.removeEventListener('online', onOnline)
  }, [])
}
