// Whether there is an AI key: asked once, when something that needs it is first shown.
import { api } from '@balcao/ui/api'
import { keepSessionState } from '@balcao/ui/session'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio'

type AiState = 'unknown' | 'on' | 'off'
const ai = keepSessionState<{ known: AiState; asking: boolean }>(() => ({ known: 'unknown', asking: false }))

/** `unknown` until the answer is there; what needs the AI is offered meanwhile, the server decides anyway. */
export function useAi(): AiState {
  useEffect(() => {
    if (ai.known === 'unknown') void askForAi()
  }, [])
  return useSnapshot(ai).known
}

/** What is known right now. */
export function getAiState(): AiState {
  return ai.known
}

async function askForAi() {
  if (ai.asking) return
  ai.asking = true
  try {
    ai.known = (await api('GET /ai')).enabled ? 'on' : 'off'
  } catch {
    // Still unknown: asked again the next time it matters.
    ai.known = 'unknown'
  } finally {
    ai.asking = false
  }
}
