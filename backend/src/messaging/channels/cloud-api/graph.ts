// Calls to Meta's Graph API: address, token, and errors by their code.

import type { Config } from '../../../platform/config.ts'
import { isConnectFailure } from '../shared/connect-failure.ts'
import { isRecord, toText } from '../shared/json.ts'
import { toReadableStream } from '../shared/readable-stream.ts'

/** Graph refused a call. Build on `code`: titles change without notice. */
export class GraphError extends Error {
  constructor(
    readonly code: number,
    readonly title: string,
    readonly details: string | undefined,
    readonly status: number,
  ) {
    super(title)
    this.name = 'GraphError'
  }
}

/** Graph did not answer at all, not in time, or not so that it could be read. `handedOver`: whether the request may have reached it. */
export class GraphUnreachable extends Error {
  constructor(readonly handedOver: boolean) {
    super('Meta cannot be reached')
    this.name = 'GraphUnreachable'
  }
}

/** Where to call: ids and names that stand between slashes. */
type Segments = readonly string[]

export type Answer = Record<string, unknown>

export class Graph {
  constructor(
    private readonly config: Config['graph'],
    private readonly token: string,
    private readonly timeoutMs: number,
  ) {}

  get(segments: Segments, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.call(segments, { method: 'GET' }, this.timeoutMs, query)
  }

  post(segments: Segments, body: unknown): Promise<Answer> {
    return this.call(segments, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }

  /** Multipart; large files take longer than other calls. */
  upload(segments: Segments, form: FormData): Promise<Answer> {
    return this.call(segments, { method: 'POST', body: form }, this.timeoutMs * 10)
  }

  /**
   * A file behind an address Graph gave, for as long as it flows; null for none. It wants the token and a user agent even there.
   * Without encryption the token goes nowhere but to the host it goes to anyway.
   */
  async fetch(url: string): Promise<ReadableStream<Uint8Array> | null> {
    const address = URL.parse(url)
    const own = new URL(this.config.url)
    const isPlain = address?.protocol === 'http:' && own.protocol === 'http:' && address.hostname === own.hostname
    if (address?.protocol !== 'https:' && !isPlain) throw new GraphError(0, 'The file has no address', undefined, 400)
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), this.timeoutMs)
    const answer = await this.request(url, { method: 'GET' }, stop.signal).finally(() => clearTimeout(timer))
    if (!answer.ok) throw new GraphError(0, 'The file did not come', undefined, answer.status)
    return answer.body && toReadableStream(answer.body, error => stop.abort(error), this.timeoutMs)
  }

  private async call(
    segments: Segments,
    init: RequestInit,
    timeoutMs = this.timeoutMs,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    // What customers and forms name as an id is one, and leads nowhere else.
    for (const segment of segments)
      if (!/^[A-Za-z0-9_-]+$/.test(segment)) throw new GraphError(100, 'This is no id', undefined, 400)
    const search = new URLSearchParams(query)
    const path = `${segments.join('/')}${search.size > 0 ? `?${search}` : ''}`
    const answer = await this.request(
      `${this.config.url}/${this.config.version}/${path}`,
      init,
      AbortSignal.timeout(timeoutMs),
    )
    const body: unknown = await answer.json().catch(() => null)
    // Taken, and what was said of it is cut or unreadable: nobody knows.
    if (!isRecord(body) && answer.ok) throw new GraphUnreachable(true)
    if (!isRecord(body)) throw new GraphError(0, `HTTP ${answer.status}`, undefined, answer.status)
    if (answer.ok && !('error' in body)) return body
    throw toGraphError(body.error, answer.status)
  }

  private async request(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${this.token}`, 'user-agent': 'balcao' }
    try {
      return await fetch(url, { ...init, headers, signal })
    } catch (error) {
      throw new GraphUnreachable(!isConnectFailure(error))
    }
  }
}

/** The error object of an answer or of a webhook's `errors`. */
export function toGraphError(error: unknown, status: number): GraphError {
  if (!isRecord(error)) return new GraphError(0, `HTTP ${status}`, undefined, status)
  const data = isRecord(error.error_data) ? error.error_data : {}
  const title = toText(error.message) ?? toText(error.title) ?? `HTTP ${status}`
  return new GraphError(Number(error.code ?? 0), title, toText(data.details), status)
}
