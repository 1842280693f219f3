// A text into a conversation.
import { isApiError } from '@balcao/client'
import type { Message } from '@balcao/contract'
import type { Desk } from './desk.ts'
import { Failure } from './faults.ts'

const AGAIN_MS = 1000

/** Sends it. Where no answer came it is sent once more: the server knows the repeat by its id, so that nothing is said twice. */
export async function sendMessage({ api }: Desk, ticketId: number, text: string): Promise<Message | undefined> {
  const body = { body: text, clientId: crypto.randomUUID() }
  const send = () => api('POST /messages/:ticketId', { params: { ticketId }, body })
  const sent = await send().catch(async (error: unknown) => {
    if (!isApiError(error, 'OFFLINE')) throw error
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    return send().catch((error: unknown) => {
      throw isApiError(error, 'OFFLINE') ? new Failure('maybeSent', { id: ticketId }) : error
    })
  })
  return Array.isArray(sent) ? sent[0] : sent
}
