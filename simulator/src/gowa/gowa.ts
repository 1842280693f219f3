// Stands in for a GOWA gateway: its calls, its webhooks and its ways, over the phones of the simulated WhatsApp.
import type { WhatsAppNetwork } from '../whatsapp/index.ts'
import { type ApiDescription, readDescription } from './described.ts'
import { GowaDevice } from './device.ts'
import type { GowaOutcome } from './lane.ts'
import { drawQrPicture } from './picture.ts'
import { answer, type GowaCall, RefusalError } from './routes.ts'

export interface GowaOptions {
  /** 0 (the default) takes a free one. */
  port?: number
  user?: string
  password?: string
  /** How long a QR code may be read; its picture is gone afterwards. */
  qrSeconds?: number
  /** Until the customer's phone has what was sent, in ms. */
  ackDelayMs?: number
  /** Webhooks: the first pause before a repeat, and how long an answer may take, in ms. */
  retryBaseMs?: number
  timeoutMs?: number
}

/** What goes wrong, until it is cleared. */
export interface GowaKnobs {
  /** Answers nothing. */
  hang: boolean
  /** Answers 500 to the next N calls. */
  fail: number
  /** Sends what the next N calls ask for, and cuts the answer off. */
  loseAnswers: number
  /** Answers what no gateway answers: a page, another device, a state nobody knows. */
  lie: 'page' | 'device' | 'state' | undefined
  /** Serves files of so many bytes, whatever they are. */
  enormous: number
  /** Devices do not come back when they are asked to. */
  noLine: boolean
}

export type GowaEvent = { at: Date } & (
  | { type: 'webhook'; device: GowaDevice; result: GowaOutcome }
  | { type: 'login'; device: GowaDevice }
  | { type: 'sent'; device: GowaDevice; id: string }
  | { type: 'read'; device: GowaDevice; id: string }
  | { type: 'call-rejected'; device: GowaDevice; callId: string }
)
type NewEvent = GowaEvent extends infer E ? (E extends GowaEvent ? Omit<E, 'at'> : never) : never

interface Static {
  readonly bytes: Uint8Array
  readonly type: string
}

/** What the calls see of it. */
export interface GowaState {
  readonly whatsapp: WhatsAppNetwork
  readonly options: Required<GowaOptions>
  readonly devices: Map<string, GowaDevice>
  readonly statics: Map<string, Static>
  /** The names of the company's phone book. */
  readonly book: { jid: string; name: string }[]
  readonly knobs: GowaKnobs
  /** The origin links are made with: that of whoever asked it last through a proxy, not ours. */
  readonly publicOrigin: string
  addDevice(id: string): GowaDevice
  /** A picture of a code. @returns its link */
  picture(text: string): string
  lie<T extends object>(device: GowaDevice, results: T): T
  tell(event: NewEvent): void
}

export interface Gowa extends GowaState {
  readonly url: string
  readonly env: { readonly GOWA_URL: string; readonly GOWA_USER: string; readonly GOWA_PASSWORD: string }
  /** Everything that was asked or answered otherwise than the gateway's own description has it. */
  readonly faults: readonly string[]
  /** Every call, as `GET /devices`. */
  readonly calls: readonly string[]
  on(listener: (event: GowaEvent) => void): () => void
  /** The gateway ends and begins again: it keeps its devices, and no attempt to pair. */
  restart(during?: () => Promise<void>): Promise<void>
  /** Resolves when every webhook is delivered or lost. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const USUAL = {
  port: 0,
  user: 'balcao',
  password: 'gateway-of-the-demo',
  qrSeconds: 30,
  ackDelayMs: 150,
  retryBaseMs: 1000,
  timeoutMs: 10_000,
}

/** Starts it. */
export async function startGowa(whatsapp: WhatsAppNetwork, custom: GowaOptions = {}): Promise<Gowa> {
  const options = { ...USUAL, ...custom }
  const described = await readDescription()
  const listeners = new Set<(event: GowaEvent) => void>()
  const faults: string[] = []
  const calls: string[] = []
  const devices = new Map<string, GowaDevice>()
  const statics = new Map<string, Static>()
  const timers = new Set<Timer>()
  const hanging = new Set<() => void>()
  const knobs: GowaKnobs = { hang: false, fail: 0, loseAnswers: 0, lie: undefined, enormous: 0, noLine: false }

  const world: GowaState = {
    whatsapp,
    options,
    devices,
    statics,
    book: [],
    knobs,
    // As behind a proxy: links follow the host of the request, which leads nowhere from elsewhere.
    publicOrigin: 'http://gateway.invalid:3000',
    addDevice(id) {
      const report = (result: GowaOutcome) => world.tell({ type: 'webhook', device, result })
      const device: GowaDevice = new GowaDevice(id, whatsapp, { ...options, report })
      devices.set(id, device)
      return device
    },
    picture(text) {
      const path = `/statics/images/qrcode/scan-qr-${crypto.randomUUID()}.png`
      statics.set(path, { bytes: drawQrPicture(text), type: 'image/png' })
      timers.add(setTimeout(() => statics.delete(path), options.qrSeconds * 1000))
      return `${world.publicOrigin}${path}`
    },
    lie: (device, results) => {
      if (knobs.lie === 'device') return { ...results, id: `not-${device.id}` }
      return knobs.lie === 'state' ? { ...results, state: 'dreaming' } : results
    },
    tell(event) {
      const dated = Object.assign({ at: new Date() }, event)
      for (const listener of listeners) listener(dated)
    },
  }

  const shown = { [Symbol.iterator]: () => devices.values() }
  whatsapp.gateways.add(shown)
  let server = listen(options.port)
  const { port } = server

  function listen(at: number | undefined) {
    return Bun.serve({ port: at ?? 0, hostname: '127.0.0.1', maxRequestBodySize: 256 * 1024 * 1024, fetch: take })
  }

  async function take(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (knobs.hang) await new Promise<void>(resolve => hanging.add(resolve))
    // Open to everybody: it comes before who asks is looked at.
    if (url.pathname.startsWith('/statics/')) return file(url.pathname)
    calls.push(`${request.method} ${url.pathname}`)
    const signed = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`
    if (request.headers.get('authorization') !== signed) return new Response('Unauthorized', { status: 401 })
    if (knobs.lie === 'page')
      return new Response('<html>Welcome to nginx!</html>', { headers: { 'content-type': 'text/html' } })
    if (knobs.fail > 0) {
      knobs.fail--
      return Response.json({ code: 'INTERNAL_SERVER_ERROR', message: 'it went wrong' }, { status: 500 })
    }
    const form = (request.headers.get('content-type') ?? '').startsWith('multipart/')
    const body = await parseBody(request, form)
    const call: GowaCall = {
      method: request.method,
      segments: url.pathname.slice(1).split('/').map(decodeURIComponent),
      query: url.searchParams,
      deviceId: request.headers.get('x-device-id'),
      body: body ?? {},
    }
    const { status, body: json } = await answerCall(call)
    const { method, query } = call
    const isLie = knobs.lie !== undefined && status === 200
    if (!isLie)
      hold(described, {
        method,
        path: url.pathname,
        query,
        body: form ? convertFormFields(body ?? {}) : body,
        form,
        status,
        answer: json,
      })
    if (knobs.loseAnswers > 0 && call.segments[0] === 'send') {
      knobs.loseAnswers--
      return new Response('{"code":')
    }
    return Response.json(json, { status })
  }

  async function answerCall(call: GowaCall): Promise<{ status: number; body: Record<string, unknown> }> {
    try {
      return { status: 200, body: { code: 'SUCCESS', ...(await answer(world, call)) } }
    } catch (error) {
      if (!(error instanceof RefusalError)) whatsapp.trouble(error)
      const { status, code } = error instanceof RefusalError ? error : { status: 500, code: 'INTERNAL_SERVER_ERROR' }
      return { status, body: { code, message: String(error instanceof Error ? error.message : error), results: null } }
    }
  }

  function hold(description: ApiDescription, exchange: Parameters<ApiDescription['faultsOf']>[0]): void {
    faults.push(...description.faultsOf(exchange))
  }

  function file(path: string): Response {
    const found = statics.get(path)
    if (!found) return new Response('Not Found', { status: 404 })
    if (knobs.enormous > 0)
      return new Response(streamBytes(knobs.enormous), { headers: { 'content-type': found.type } })
    return new Response(new Uint8Array(found.bytes), { headers: { 'content-type': found.type } })
  }

  return {
    ...world,
    get url() {
      return `http://127.0.0.1:${port}`
    },
    get env() {
      return { GOWA_URL: `http://127.0.0.1:${port}`, GOWA_USER: options.user, GOWA_PASSWORD: options.password }
    },
    faults,
    calls,
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async restart(during) {
      await server.stop(true)
      for (const device of devices.values()) device.shown = device.typed = undefined
      await during?.()
      server = listen(port)
    },
    async idle() {
      for (const device of devices.values()) await device.lane.idle()
    },
    async stop() {
      whatsapp.gateways.delete(shown)
      knobs.hang = false
      for (const resolve of hanging) resolve()
      for (const timer of timers) clearTimeout(timer)
      for (const device of devices.values()) {
        device.lane.stop()
        device.unlink('device')
      }
      await server.stop(true)
    },
  }
}

async function parseBody(request: Request, form: boolean): Promise<Record<string, unknown> | undefined> {
  if (form) return Object.fromEntries(await request.formData())
  const text = await request.text()
  if (text === '') return undefined
  const body: unknown = JSON.parse(text)
  return typeof body === 'object' && body !== null ? { ...body } : {}
}

/** The fields of a form as the description knows them: words, switches, files. */
function convertFormFields(form: Record<string, unknown>): Record<string, unknown> {
  const known = ([name, value]: [string, unknown]) => [
    name,
    value === 'true' ? true : value instanceof File ? value.name : name === 'duration' ? Number(value) : value,
  ]
  return Object.fromEntries(Object.entries(form).map(known))
}

function streamBytes(bytes: number): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024)
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      controller.enqueue(chunk.subarray(0, Math.min(left, chunk.length)))
      left -= chunk.length
    },
  })
}
