import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { view } from '../desk/view.ts'

/** Opens the templates where something else on the desk asks for them: a message that came too late, a new conversation. */
export function useTemplatesAsked(ticketId: number | null, open: () => void) {
  const { templatesFor } = useSnapshot(view)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, opened once
  useEffect(() => {
    if (ticketId === null || templatesFor !== ticketId) return
    view.templatesFor = null
    open()
  }, [ticketId, templatesFor])
}
