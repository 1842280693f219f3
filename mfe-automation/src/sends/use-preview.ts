import type { RequestBody, SendPreview } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { type Connections, hasRecipients, type SendFields, toBody } from './form.ts'

/** While somebody types. */
const REST_MS = 500

export interface SendOutlook {
  /** What is asked about. */
  readonly body: RequestBody<'POST /envioMassa/preview'>
  /** What the send would come to; of what was asked before while the new answer is on its way. */
  readonly preview: SendPreview | null
  /** It is the answer to just these fields. */
  readonly isNow: boolean
  /** Nothing goes out before it is said how many get it; to nobody nothing does. */
  readonly isReady: boolean
  readonly error: unknown
  readonly again: () => void
}

/** What a send would come to as the form stands: asked anew when it rests (decisions §15). */
export function usePreview(fields: SendFields, word: string, connections: Connections): SendOutlook {
  const isAsked = hasRecipients(fields)
  const body = toBody(fields, word, connections)
  const query = useQuery(
    isAsked ? JSON.stringify(body) : null,
    signal => api('POST /envioMassa/preview', { body, signal }),
    { waitMs: REST_MS },
  )
  const { now, last, error, again } = query
  const isReady = !isAsked || error !== null || (now !== null && now.count > 0)
  return { body, preview: isAsked ? last : null, isNow: now !== null, isReady, error, again }
}
