import { useState } from 'react'

/**
 * The button of an action, so that its dialog docks under it, looked up anew each time: the header draws other buttons when
 * its width changes. None on phones, where the dialog docks at the edge.
 */
export function useAnchor(actionId: string): { readonly current: HTMLElement | null } | undefined {
  const [anchor] = useState(() => ({
    get current() {
      return buttonOf(actionId)
    },
  }))
  const [exists] = useState(() => buttonOf(actionId) !== null)
  return exists ? anchor : undefined
}

function buttonOf(actionId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.c-header [data-action="${actionId}"]`)
}
