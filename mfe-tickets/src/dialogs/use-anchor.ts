import { useState } from 'react'

/**
 * The button of an action (of several: the one that is there), so that its dialog docks under it, looked up anew each time: the header draws other buttons when
 * its width changes. None on phones, where the dialog docks at the edge.
 */
export function useAnchor(...actionIds: string[]): { readonly current: HTMLElement | null } | undefined {
  const [anchor] = useState(() => ({
    get current() {
      return findActionButton(actionIds)
    },
  }))
  const [exists] = useState(() => findActionButton(actionIds) !== null)
  return exists ? anchor : undefined
}

function findActionButton(actionIds: readonly string[]): HTMLElement | null {
  return document.querySelector<HTMLElement>(actionIds.map(id => `.c-header [data-action="${id}"]`).join())
}
