// Talks to an OpenAI-compatible endpoint. Nothing that was said or asked ever reaches a log: an error knows its status, no more.
import type { Config } from '../../platform/config.ts'

export type AiAccess = NonNullable<Config['ai']>

/** The endpoint did not do it. `again`: it may later (busy, away); otherwise trying again is no use. */
export class AiError extends Error {
  constructor(
    readonly status: number | null,
    readonly again: boolean,
  ) {
    super(status === null ? 'The AI endpoint did not answer' : `The AI endpoint answered ${status}`)
    this.name = 'AiError'
  }
}

const CHAT_MS = 45_000
const TRANSCRIBE_MS = 120_000

/** One answer to instructions and a text. Throws `AiError`. */
export async function completeChat(ai: AiAccess, instructions: string, text: string): Promise<string> {
  const answer = await call(ai, 'chat/completions', CHAT_MS, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: ai.model,
      temperature: 0.2,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: text },
      ],
    }),
  })
  const choices = field(answer, 'choices')
  const content = field(field(Array.isArray(choices) ? choices[0] : null, 'message'), 'content')
  if (typeof content !== 'string' || content.trim() === '') throw new AiError(200, false)
  return content.trim()
}

/** What is said in a recording; empty when nothing is. `name` must end as its format does. Throws `AiError`. */
export async function transcribe(ai: AiAccess, recording: Blob, name: string): Promise<string> {
  const body = new FormData()
  body.set('file', recording, name)
  body.set('model', ai.transcribeModel)
  body.set('response_format', 'json')
  const text = field(await call(ai, 'audio/transcriptions', TRANSCRIBE_MS, { body }), 'text')
  if (typeof text !== 'string') throw new AiError(200, false)
  return text.trim()
}

async function call(
  ai: AiAccess,
  path: string,
  patienceMs: number,
  { headers, body }: { headers?: Record<string, string>; body: string | FormData },
): Promise<unknown> {
  let answer: Response
  try {
    answer = await fetch(`${ai.url}/${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${ai.key}` },
      body,
      signal: AbortSignal.timeout(patienceMs),
    })
  } catch {
    // The cause may quote the address with what was asked; that it did not answer is all there is to know.
    throw new AiError(null, true)
  }
  if (!answer.ok) throw new AiError(answer.status, answer.status === 429 || answer.status >= 500)
  return answer.json().catch(() => {
    throw new AiError(answer.status, false)
  })
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
