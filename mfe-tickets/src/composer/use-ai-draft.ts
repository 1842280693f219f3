// A draft of the AI while it is written: asked for, growing, whole, or failed. What is asked for next ends it, and so does going away.
import type { RequestBody } from '@balcao/contract'
import { streamText } from '@balcao/ui/api'
import { useCallback, useEffect, useRef, useState } from 'react'

export type AiRequest = RequestBody<'POST /tickets/ai/assist/:id'>

export interface AiDraft {
  readonly text: string
  readonly state: 'writing' | 'done' | 'failed'
  readonly error: unknown
}

const NEW: AiDraft = { text: '', state: 'writing', error: null }

export function useAiDraft(ticketId: number) {
  const [draft, setDraft] = useState<AiDraft | null>(null)
  const running = useRef<AbortController>(null)

  const ask = useCallback(
    async (request: AiRequest) => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      const isLatest = () => running.current === own && !own.signal.aborted
      let text = ''
      setDraft(NEW)
      try {
        await streamText(
          'POST /tickets/ai/assist/:id',
          { params: { id: ticketId }, body: request, signal: own.signal },
          piece => {
            text += piece
            if (isLatest()) setDraft({ ...NEW, text })
          },
        )
        if (isLatest()) setDraft({ text: text.trim(), state: 'done', error: null })
      } catch (error) {
        if (isLatest()) setDraft({ text, state: 'failed', error })
      }
    },
    [ticketId],
  )

  useEffect(() => () => running.current?.abort(), [])
  return { draft, ask }
}
