// Stands in for an OpenAI-compatible endpoint: `POST /v1/chat/completions` and `POST /v1/audio/transcriptions`. It understands
// nothing; what it answers follows from what it was asked, so that tests can expect it.
import {
  type AudioFile,
  answerSummary,
  answerTranscript,
  type ChatRequest,
  createFailure,
  parseAiRequest,
  streamDraft,
} from './answers.ts'

export interface AiRequest {
  readonly path: string
  readonly authorization: string
  /** What was asked: the text of the user's message, or the recording's file name. */
  readonly request: string
  /** What the system's message says; empty for a recording. */
  readonly instructions: string
  readonly bytes: number
}

export interface Ai {
  /** What the product needs in its environment to ask here. */
  readonly env: Readonly<Record<'AI_URL' | 'AI_KEY' | 'AI_MODEL' | 'AI_TRANSCRIBE_MODEL', string>>
  /** Everything asked so far. */
  readonly requests: readonly AiRequest[]
  /** How many went away before they had their answer. */
  readonly abandoned: number
  /** Answers the next requests with these statuses. */
  failNext(...statuses: number[]): void
  /** While held nothing is answered; `rest`: only the first word of a draft. */
  hold(held: boolean | 'rest'): void
  stop(): Promise<void>
}

const KEY = 'chave-de-ia-do-simulador'

/**
 * Starts one on a free port.
 * @example const ai = startAi(); const server = await startDeskServer(ai.env)
 */
export function startAi(): Ai {
  const requests: AiRequest[] = []
  const failures: number[] = []
  let held: Promise<void> | null = null
  let release = () => {}
  let firstWordGoes = false
  let abandoned = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      const authorization = request.headers.get('authorization') ?? ''
      if (authorization !== `Bearer ${KEY}`) return createFailure(401, 'Incorrect API key provided')
      const parsed = await parseAiRequest(path, request)
      if (!parsed) return createFailure(404, 'Unknown request')
      requests.push({ path, authorization, ...describe(parsed) })
      request.signal.addEventListener('abort', () => abandoned++)
      if (held && !firstWordGoes) await held
      const status = failures.shift()
      if (status !== undefined) return createFailure(status, 'The server had an error while processing your request')
      if (!('text' in parsed)) return answerTranscript(parsed)
      return parsed.stream
        ? streamDraft(parsed, at => (at === 0 && firstWordGoes ? null : held))
        : answerSummary(parsed.text)
    },
  })
  return {
    env: {
      AI_URL: `http://127.0.0.1:${server.port}/v1`,
      AI_KEY: KEY,
      AI_MODEL: 'resumo-1',
      AI_TRANSCRIBE_MODEL: 'escuta-1',
    },
    requests,
    get abandoned() {
      return abandoned
    },
    failNext: (...statuses) => void failures.push(...statuses),
    hold(now) {
      release()
      firstWordGoes = now === 'rest'
      held = !now
        ? null
        : new Promise<void>(resolve => {
            release = resolve
          })
    },
    async stop() {
      release()
      await server.stop(true)
    },
  }
}

function describe(parsed: ChatRequest | AudioFile): Pick<AiRequest, 'request' | 'instructions' | 'bytes'> {
  return 'text' in parsed
    ? { request: parsed.text, instructions: parsed.instructions, bytes: parsed.text.length }
    : { request: parsed.name, instructions: '', bytes: parsed.bytes }
}
