// Keys and presses on messages while the bar of marks is on its way: they are done, in their order, once it stands.
import { useLayoutEffect } from 'react'

const KEYS = [' ', 'Enter', 'Escape', 'ArrowUp', 'ArrowDown']

export function HeldMarks() {
  useLayoutEffect(() => {
    const held: (() => void)[] = []
    let first: HTMLElement | null = null
    const listening = new AbortController()
    function hold(event: KeyboardEvent | MouseEvent) {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('ol [data-key]') : null
      if (!row || ('key' in event && (row !== event.target || !KEYS.includes(event.key)))) return
      event.preventDefault()
      event.stopPropagation()
      first ??= row
      // A key goes to the row that the keys before it led to.
      held.push(() =>
        'key' in event
          ? document.activeElement?.dispatchEvent(new KeyboardEvent(event.type, event))
          : row.dispatchEvent(new MouseEvent(event.type, event)),
      )
    }
    const options = { capture: true, signal: listening.signal }
    document.addEventListener('keydown', hold, options)
    document.addEventListener('click', hold, options)
    return () => {
      listening.abort()
      queueMicrotask(() => {
        // Who turned to something else meanwhile, or left the conversation, marks nothing.
        if (!first?.parentElement?.contains(document.activeElement)) return
        first.focus({ preventScroll: true })
        for (const perform of held) perform()
      })
    }
  }, [])
  return null
}
