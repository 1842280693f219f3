import type { LiveEvent } from '@balcao/contract/events'
import { combineStops, live } from '@balcao/ui/live'
import { useEffect, useEffectEvent } from 'react'

type EventName = LiveEvent['event']

/** Looks anew when something was told, or the line broke; what is told in flocks gathers first. */
export function useLiveEvent<N extends EventName>(
  name: N,
  reload: () => void,
  restMs: number,
  isMeant: (event: Extract<LiveEvent, { event: N }>) => boolean = () => true,
) {
  const meant = useEffectEvent(isMeant)
  const anew = useEffectEvent(reload)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        anew()
      }, restMs)
    }
    const stop = combineStops(
      live.on(name, event => meant(event) && soon()),
      live.onReset(soon),
    )
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [name, restMs])
}
