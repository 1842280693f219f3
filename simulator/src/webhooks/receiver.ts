// A program that is told what happens: it checks the signature of each call, and shows what came on a page of its own.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A call that came. `isSigned`: by the secret that the receiver was given. */
export interface WebhookCall {
  readonly path: string
  readonly id: string
  readonly isSigned: boolean
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface WebhookReceiver {
  readonly host: string
  readonly url: string
  /** All calls, the oldest first; those that were refused too. */
  readonly calls: readonly WebhookCall[]
  /** The secret by which calls are checked. */
  secret: string
  /** Answers the next calls otherwise; undefined: 200 again. */
  answer: ((request: Request, call: WebhookCall) => Response | Promise<Response>) | undefined
  stop(): Promise<void>
}

const SHOWN = 200

/** Starts one on a free port, or the given one. */
export function startWebhookReceiver(port = 0): WebhookReceiver {
  const calls: WebhookCall[] = []
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      if (request.method !== 'POST') return showCalls(calls, receiver.secret !== '')
      const call = await readCall(request, receiver.secret)
      calls.push(call)
      return receiver.answer ? receiver.answer(request, call) : Response.json({ received: true })
    },
  })
  const host = `127.0.0.1:${server.port}`
  const receiver: WebhookReceiver = {
    host,
    url: `http://${host}`,
    calls,
    secret: '',
    answer: undefined,
    stop: () => server.stop(true),
  }
  return receiver
}

async function readCall(request: Request, secret: string): Promise<WebhookCall> {
  const body = await request.text()
  const id = request.headers.get('webhook-id') ?? ''
  const { type, data } = JSON.parse(body)
  return { path: new URL(request.url).pathname, id, isSigned: isSigned(request, secret, body), type, data, body }
}

function isSigned({ headers }: Request, secret: string, body: string): boolean {
  const content = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
  const signatures = (headers.get('webhook-signature') ?? '').split(' ').map(text => Buffer.from(text))
  return signatures.some(one => one.length === expected.length && timingSafeEqual(one, expected))
}

/** The newest first, as a plain page; without a secret no signature is checked. */
function showCalls(calls: readonly WebhookCall[], isChecked: boolean): Response {
  const rows = calls
    .slice(-SHOWN)
    .reverse()
    .map(({ type, id, isSigned: is, body }) => {
      const text = JSON.stringify(JSON.parse(body), null, 2)
      return `<li><b>${escapeHtml(type)}</b> <code>${escapeHtml(id)}</code> ${!isChecked ? 'signature not checked' : is ? 'signed' : 'NOT signed'}<pre>${escapeHtml(text)}</pre></li>`
    })
  const page = `<!doctype html><meta charset="utf-8"><title>Webhooks</title><h1>${calls.length} calls</h1><ol>${rows.join('')}</ol>`
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
