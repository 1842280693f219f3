import { useEffect, useRef } from 'react'

/** When what had the focus goes with the conversation it belonged to, the focus goes to the list, or to the conversation that stands there. */
export function useFocusKept(ticketId: number | null, status: string | undefined) {
  const begun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the conversation is another or in another state
  useEffect(() => {
    const first = !begun.current
    begun.current = true
    if (first || (document.activeElement !== null && document.activeElement !== document.body)) return
    const wanted = ticketId === null ? '.t-pane [role="listbox"], .t-pane [role="tab"]' : '.c-conversation'
    document.querySelector<HTMLElement>(wanted)?.focus({ preventScroll: true })
  }, [ticketId, status])
}
