// Enter that comes before what it chooses from: it is held until that stands, or has failed.
import { useEffect, useEffectEvent, useState } from 'react'

/** `press`: Enter was pressed; `enter` is done once `isKnown`. `drop`: what is typed now changes what was meant. */
export function useEarlyEnter(isKnown: boolean, enter: () => void) {
  const [isHeld, setHeld] = useState(false)
  const act = useEffectEvent(() => {
    setHeld(false)
    enter()
  })
  useEffect(() => {
    if (isHeld && isKnown) act()
  }, [isHeld, isKnown])
  return { isHeld, press: () => setHeld(true), drop: () => setHeld(false) }
}
