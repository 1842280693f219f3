// Whether there is an AI key: asked once, when something that needs it is first shown.
import { api } from '@balcao/ui/api'
import { useEffect, useSyncExternalStore } from 'react'

type Known = 'unknown' | 'on' | 'off'
let known: Known = 'unknown'
let asking = false
const listeners = new Set<() => void>()

/** `unknown` until the answer is there; what needs the AI is offered meanwhile, the server decides anyway. */
export function useAi(): Known {
  useEffect(() => {
    if (known === 'unknown') void askForAi()
  }, [])
  return useSyncExternalStore(subscribe, aiNow)
}

/** What is known right now. */
export function aiNow(): Known {
  return known
}

async function askForAi() {
  if (asking) return
  asking = true
  try {
    known = (await api('GET /ai')).enabled ? 'on' : 'off'
    for (const listener of listeners) listener()
  } catch {
    // Still unknown: asked again the next time it matters.
    known = 'unknown'
  } finally {
    asking = false
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
