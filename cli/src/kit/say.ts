// A text into a conversation.
import { isApiError } from '@balcao/client'
import type { Message } from '@balcao/contract'
import type { Desk } from './desk.ts'
import { Failure } from './faults.ts'
import { repeatUnanswered } from './repeat.ts'

/** Sends it. Where no answer came it is sent once more: the server knows the repeat by its id, so that nothing is said twice. */
export async function sendMessage({ api }: Desk, ticketId: number, text: string): Promise<Message | undefined> {
  const body = { body: text, clientId: crypto.randomUUID() }
  const send = () => api('POST /messages/:ticketId', { params: { ticketId }, body })
  const sent = await repeatUnanswered(send).catch((error: unknown) => {
    throw isApiError(error, 'OFFLINE') ? new Failure('maybeSent', { id: ticketId }) : error
  })
  return Array.isArray(sent) ? sent[0] : sent
}
