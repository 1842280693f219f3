// Calls to the GOWA gateway (go-whatsapp-web-multidevice): its address, its user, its answers. The one place that knows how it is spoken to.
import type { Config } from '../../../platform/config.ts'
import { isConnectFailure } from '../shared/connect-failure.ts'
import { isRecord, toText } from '../shared/json.ts'
import { toReadableStream } from '../shared/readable-stream.ts'
import { encodeMultipart, type FormPart } from './multipart.ts'

/** The gateway refused a call, or WhatsApp behind it did. */
export class GatewayError extends Error {
  constructor(
    readonly status: number,
    /** Its own word, such as `INVALID_JID`; empty where it gave none. */
    readonly code: string,
    readonly words: string,
  ) {
    super(words)
    this.name = 'GatewayError'
  }
}

/** It did not answer, not in time, or not so that it could be read. `handedOver`: whether the request may have reached it. */
export class GatewayUnreachable extends Error {
  constructor(readonly handedOver: boolean) {
    super('The gateway cannot be reached')
    this.name = 'GatewayUnreachable'
  }
}

/** It answered what no gateway answers; `code` names what was wrong. */
export class GatewayProtocolError extends Error {
  constructor(readonly code: string) {
    super(`The gateway answered what makes no sense: ${code}`)
    this.name = 'GatewayProtocolError'
  }
}

export type Query = Readonly<Record<string, string | number | boolean>>

/** Nobody fills our memory with an answer. */
const LARGEST_ANSWER = 8 * 1024 * 1024
/** Files take longer than words. */
const FILE_TIMES = 20

type Gowa = NonNullable<Config['gowa']>

export class Gateway {
  constructor(
    private readonly gowa: Gowa,
    readonly deviceId: string,
    private readonly timeoutMs: number,
  ) {}

  /** Where the gateway posts what happens on a connection. */
  webhookOf(connectionId: number): string {
    return `${this.gowa.webhookUrl}/webhooks/meow/${connectionId}`
  }

  /** `path` by its segments, as they are: the `results` of the answer. */
  get(path: readonly string[], query: Query = {}, timeoutMs = this.timeoutMs): Promise<unknown> {
    return this.call('GET', path, { query, timeoutMs })
  }

  post(path: readonly string[], body?: unknown, query: Query = {}): Promise<unknown> {
    return this.call('POST', path, { query, ...(body === undefined ? {} : json(body)) })
  }

  patch(path: readonly string[], body: unknown): Promise<unknown> {
    return this.call('PATCH', path, json(body))
  }

  delete(path: readonly string[]): Promise<unknown> {
    return this.call('DELETE', path, {})
  }

  /** Streamed as it is read from the disk. */
  upload(path: readonly string[], parts: readonly FormPart[]): Promise<unknown> {
    const { body, headers } = encodeMultipart(parts)
    return this.call('POST', path, { body, headers, timeoutMs: this.timeoutMs * FILE_TIMES })
  }

  /**
   * A file behind a link it gave, for as long as it flows. A link names the host by which the gateway was asked, or whatever it likes:
   * only its path counts, and nothing is followed elsewhere.
   */
  async file(link: string): Promise<ReadableStream<Uint8Array>> {
    const own = new URL(this.gowa.url)
    const path = URL.parse(link, `${this.gowa.url}/`)
    if (!path?.pathname.includes('/statics/')) throw new GatewayProtocolError('link')
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), this.timeoutMs)
    const url = `${own.origin}${path.pathname}${path.search}`
    const answer = await this.request(url, { method: 'GET' }, stop.signal).finally(() => clearTimeout(timer))
    if (answer.status >= 400) throw new GatewayError(answer.status, '', `HTTP ${answer.status}`)
    if (!answer.ok || !answer.body) throw new GatewayProtocolError('file')
    return toReadableStream(answer.body, error => stop.abort(error), this.timeoutMs)
  }

  private async call(
    method: string,
    path: readonly string[],
    {
      query = {},
      body,
      headers = {},
      timeoutMs = this.timeoutMs,
    }: { query?: Query; body?: BodyInit; headers?: Record<string, string>; timeoutMs?: number },
  ): Promise<unknown> {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const url = `${this.gowa.url}/${path.map(segment).join('/')}${search.size > 0 ? `?${search}` : ''}`
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await this.request(url, { method, headers, ...(body && { body }) }, signal)
    const bytes = await readBounded(answer, LARGEST_ANSWER).catch(() => null)
    const parsed = bytes === null ? null : parsedJson(bytes)
    if (answer.status >= 400) {
      const { code, message } = isRecord(parsed) ? parsed : {}
      throw new GatewayError(answer.status, toText(code) ?? '', toText(message) ?? `HTTP ${answer.status}`)
    }
    // Taken, and what was said of it is cut: nobody knows.
    if (bytes === null) throw new GatewayUnreachable(true)
    if (!answer.ok) throw new GatewayProtocolError(`HTTP ${answer.status}`)
    if (!isRecord(parsed) || parsed.code !== 'SUCCESS') throw new GatewayProtocolError('answer')
    return parsed.results
  }

  private async request(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { user, password } = this.gowa
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const headers = { ...init.headers, authorization, 'x-device-id': this.deviceId, 'user-agent': 'balcao' }
    try {
      return await fetch(url, { ...init, headers, signal, redirect: 'manual' })
    } catch (error) {
      throw new GatewayUnreachable(!isConnectFailure(error))
    }
  }
}

function json(body: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/** Ids are what customers name their messages: one stays one segment. */
function segment(id: string): string {
  if (/^\.*$/.test(id)) throw new GatewayError(400, 'VALIDATION_ERROR', 'This is no id')
  return encodeURIComponent(id)
}

/** What was answered, if it is not more than `most` bytes. Throws otherwise, and when the line breaks. */
export async function readBounded(answer: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > most) throw new GatewayProtocolError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}
