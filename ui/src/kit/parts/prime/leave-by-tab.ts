// Out of an open list by Tab: PrimeReact keeps who presses it inside, and of several choices lets go of the one that was just taken.
import { type RefObject, useEffect } from 'react'
import { flushSync } from 'react-dom'

interface List {
  hide(): void
  getElement(): HTMLElement | null
  getOverlay(): HTMLElement | null
}

/** Tab shuts the list and goes on behind its field; in a list of several choices it changes nothing. */
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
