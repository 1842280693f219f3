// Talks to Typebot's viewer (decisions-2 §10). Nothing that was said or answered ever reaches a log.
import { MB } from '@balcao/contract'
import { toStorable } from '../../platform/database/storable.ts'
import { callOutside, OutwardError, type OutwardOptions, readOutwardBody } from '../../platform/http/outward.ts'
import { type FlowAnswer, type FlowInputMessage, readAnswer } from './protocol.ts'

/** The bot of a connection, as its form names it. */
export interface TypebotAddress {
  readonly address: string
  readonly bot: string
}

/**
 * Why there is no answer. `unsent`: certainly not heard, and worth another try. `forgotten`: there is no such session, or no such bot.
 * `closed`: the bot is closed, or refuses what was said. `refused`: it may not be asked. `broken`: a block of the flow failed. `strange`:
 * what answers there is no Typebot.
 */
export type CallFault =
  | 'unsent'
  | 'private'
  | 'insecure'
  | 'lost'
  | 'slow'
  | 'tooLarge'
  | 'forgotten'
  | 'closed'
  | 'refused'
  | 'broken'
  | 'strange'

export type CallResult = { readonly answer: FlowAnswer } | { readonly fault: CallFault }

/** An answer is words and addresses: more is no answer of a flow for a chat. */
const MOST_BYTES = 2 * MB

/** Begins a flow; `told` answers its first question, should it begin with one. */
export function startChat(
  viewer: TypebotAddress,
  message: FlowInputMessage | null,
  prefilledVariables: Readonly<Record<string, unknown>>,
  outward: OutwardOptions,
): Promise<CallResult> {
  const path = `typebots/${encodeURIComponent(viewer.bot)}/startChat`
  return post(viewer, path, { ...(message && { message }), prefilledVariables, ...FORMAT }, outward)
}

/** Goes on with a session; without words where the flow goes on by itself or a question is passed over. */
export function continueChat(
  viewer: TypebotAddress,
  sessionId: string,
  message: FlowInputMessage | null,
  outward: OutwardOptions,
): Promise<CallResult> {
  const path = `sessions/${encodeURIComponent(sessionId)}/continueChat`
  return post(viewer, path, { ...(message && { message }), ...FORMAT }, outward)
}

const FORMAT = { textBubbleContentFormat: 'richText' } as const

async function post(
  { address }: TypebotAddress,
  path: string,
  body: object,
  outward: OutwardOptions,
): Promise<CallResult> {
  try {
    const answer = await callOutside(
      `${address.replace(/[?#].*$/, '').replace(/\/+$/, '')}/api/v1/${path}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
      },
      outward,
    )
    const fault = toCallFault(answer)
    if (fault !== null) {
      await answer.body?.cancel()
      return { fault }
    }
    const chunks = await Array.fromAsync(readOutwardBody(answer, MOST_BYTES))
    const response = readAnswer(toStorable(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    return response ? { answer: response } : { fault: 'strange' }
  } catch (error) {
    if (error instanceof OutwardError) return { fault: error.fault }
    // No JSON, or one that is nested without end.
    if (error instanceof SyntaxError || error instanceof RangeError) return { fault: 'strange' }
    throw error
  }
}

function toCallFault({ ok, status, headers }: Response): CallFault | null {
  const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '')
  // A page, or the way to one: what stands there is something else.
  if ((status >= 300 && status < 400) || (ok && !isJson)) return 'strange'
  if (ok) return null
  if (status === 404) return isJson ? 'forgotten' : 'strange'
  if (status === 401 || status === 403) return 'refused'
  return status >= 500 ? 'broken' : status === 400 ? 'closed' : 'refused'
}
