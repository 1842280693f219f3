import { type RefObject, useEffect, useRef } from 'react'

/** Whether a form is there still, for an answer that comes after it was left: what was left opens nothing. */
export function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}
