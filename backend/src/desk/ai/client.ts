// Talks to an OpenAI-compatible endpoint. Nothing that was said or asked ever reaches a log: an error knows its status, no more.
import { readField } from '@balcao/contract'
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
/** Characters of an answer; more is no message. */
const MOST_WRITTEN = 8_000
/** Characters of one line of a stream. */
const MOST_LINE = 100_000

/** What a request made the endpoint read and write, in its tokens; about four characters each where it does not say. */
export interface AiUse {
  readonly tokensIn: number
  readonly tokensOut: number
}

/** One answer to instructions and a text; `signal` ends it. Throws `AiError`. */
export async function completeChat(
  ai: AiAccess,
  instructions: string,
  text: string,
  signal: AbortSignal,
): Promise<{ text: string; use: AiUse }> {
  const request = toChatRequest(ai, instructions, text)
  const response = await call(ai, 'chat/completions', request, AbortSignal.any([signal, AbortSignal.timeout(CHAT_MS)]))
  const answer = await readJson(response)
  const choices = readField(answer, 'choices')
  const content = readField(readField(Array.isArray(choices) ? choices[0] : null, 'message'), 'content')
  if (typeof content !== 'string' || content.trim() === '') throw new AiError(200, false)
  return { text: content.trim(), use: readUse(answer) ?? estimateUse(instructions + text, content) }
}

/**
 * The same answer piece by piece, as it is written; `signal` ends it, here and at the endpoint. `done` is told what it used, also when
 * it is ended early. Throws `AiError`.
 */
export async function* streamChat(
  ai: AiAccess,
  instructions: string,
  text: string,
  { signal, done }: { readonly signal: AbortSignal; readonly done: (use: AiUse) => void },
): AsyncGenerator<string> {
  const request = toChatRequest(ai, instructions, text, { stream: true, stream_options: { include_usage: true } })
  const response = await call(ai, 'chat/completions', request, AbortSignal.any([signal, AbortSignal.timeout(CHAT_MS)]))
  let written = ''
  let use: AiUse | null = null
  try {
    for await (const event of readEvents(response)) {
      use = readUse(event) ?? use
      const choices = readField(event, 'choices')
      const choice: unknown = Array.isArray(choices) ? choices[0] : null
      const piece = readField(readField(choice, 'delta'), 'content')
      if (typeof piece === 'string' && piece !== '') {
        written += piece
        yield piece
      }
      // What is cut is not the whole, whoever cut it.
      if (written.length > MOST_WRITTEN || readField(choice, 'finish_reason') === 'length')
        throw new AiError(200, false)
    }
    if (written.trim() === '') throw new AiError(200, false)
  } finally {
    done(use ?? estimateUse(instructions + text, written))
  }
}

/** The JSON of each `data:` line of a stream of events. */
async function* readEvents(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > MOST_LINE) throw new AiError(response.status, false)
      for (const line of lines) {
        const data = /^data: ?(.*)$/.exec(line.trimEnd())?.[1]
        if (data === '[DONE]') return
        if (data !== undefined) yield JSON.parse(data)
      }
    }
  } catch (error) {
    if (error instanceof AiError) throw error
    // Cut off, or no JSON: the text of such an error may quote what was written.
    throw new AiError(null, true)
  }
}

function toChatRequest(ai: AiAccess, instructions: string, text: string, more: object = {}) {
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: ai.model,
      temperature: 0.2,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: text },
      ],
      ...more,
    }),
  }
}

function readUse(answer: unknown): AiUse | null {
  const usage = readField(answer, 'usage')
  const [tokensIn, tokensOut] = [readField(usage, 'prompt_tokens'), readField(usage, 'completion_tokens')]
  return Number.isSafeInteger(tokensIn) && Number.isSafeInteger(tokensOut)
    ? { tokensIn: Math.max(0, Number(tokensIn)), tokensOut: Math.max(0, Number(tokensOut)) }
    : null
}

function estimateUse(read: string, written: string): AiUse {
  return { tokensIn: Math.ceil(read.length / 4), tokensOut: Math.ceil(written.length / 4) }
}

/** What is said in a recording; empty when nothing is. `name` must end as its format does. Throws `AiError`. */
export async function transcribe(ai: AiAccess, recording: Blob, name: string): Promise<string> {
  const body = new FormData()
  body.set('file', recording, name)
  body.set('model', ai.transcribeModel)
  body.set('response_format', 'json')
  const response = await call(ai, 'audio/transcriptions', { body }, AbortSignal.timeout(TRANSCRIBE_MS))
  const text = readField(await readJson(response), 'text')
  if (typeof text !== 'string') throw new AiError(200, false)
  return text.trim()
}

async function call(
  ai: AiAccess,
  path: string,
  { headers, body }: { headers?: Record<string, string>; body: string | FormData },
  signal: AbortSignal,
): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(`${ai.url}/${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${ai.key}` },
      body,
      signal,
    })
  } catch {
    // The cause may quote the address with what was asked; that it did not answer is all there is to know.
    throw new AiError(null, true)
  }
  if (!answer.ok) throw new AiError(answer.status, answer.status === 429 || answer.status >= 500)
  return answer
}

async function readJson(answer: Response): Promise<unknown> {
  return answer.json().catch(() => {
    throw new AiError(answer.status, false)
  })
}
