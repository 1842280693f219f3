// Out of an open list by Tab: PrimeReact takes or lets go of the marked choice by it, or keeps who presses it inside.
import { type RefObject, useEffect } from 'react'
import { flushSync } from 'react-dom'

interface List {
  hide(): void
  getElement(): HTMLElement | null
  getOverlay(): HTMLElement | null
}

/** Tab shuts the list, chooses nothing and goes on behind its field. */
export function useLeaveByTab(list: RefObject<List | null>) {
  useEffect(() => {
    function leave(event: KeyboardEvent) {
      const own = list.current
      if (event.key !== 'Tab' || !own || !(event.target instanceof Node)) return
      const [field, panel] = [own.getElement(), own.getOverlay()]
      if (!panel || !(panel.contains(event.target) || field?.contains(event.target))) return
      // Shut before the list hears of the key; the focus goes on from the field.
      flushSync(() => own.hide())
      field?.querySelector('input')?.focus()
    }
    document.addEventListener('keydown', leave, true)
    return () => document.removeEventListener('keydown', leave, true)
  }, [list])
}
