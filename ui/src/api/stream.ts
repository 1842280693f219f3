// Calls whose answer is a text that is still being written.

import type { CallOptions } from '@balcao/client'
import { createOfflineError, toApiError } from '@balcao/client'
import type { EndpointKey, endpoints } from '@balcao/contract'
import { prepare, withToken } from './client.ts'

type StreamingKey = {
  [K in EndpointKey]: (typeof endpoints)[K] extends { readonly streams: true } ? K : never
}[EndpointKey]

/**
 * Runs one and hands each piece over as it comes; ends with the text. Errors as `api`; `OFFLINE` too where it breaks off half way.
 *
 * @example await streamText('POST /tickets/ai/assist/:id', { params: { id }, body, signal }, piece => add(piece))
 */
export async function streamText<K extends StreamingKey>(
  key: K,
  options: CallOptions<K>,
  onPiece: (piece: string) => void,
): Promise<void> {
  const { url, method, body, headers, signal } = prepare(key, options)
  const answer = await withToken(key, async token => {
    const answer = await fetch(url, {
      method,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
    }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw createOfflineError(error)
    })
    if (answer.ok) return answer
    throw toApiError(answer.status, await answer.json().catch(() => undefined), answer.headers.get('retry-after'))
  })
  const decoder = new TextDecoder()
  try {
    for (const reader = answer.body?.getReader(); reader; ) {
      const { done, value } = await reader.read()
      if (done) return
      onPiece(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw createOfflineError(error)
  }
}
