// A Graph double with one business number, one customer and a webhook that remembers what it was told.
import { createHmac } from 'node:crypto'
import { isRecord } from '../src/graph/fields.ts'
import { type GraphOptions, startGraph } from '../src/graph/graph.ts'

export interface WebhookNotice {
  raw: string
  signedRightly: boolean
  messages: Record<string, unknown>[]
  statuses: Record<string, unknown>[]
  contacts: Record<string, unknown>[]
}

export async function startGraphWorld(options: GraphOptions = {}) {
  const graph = await startGraph({ port: 0, retryBaseMs: 5, ...options })
  const notices: WebhookNotice[] = []
  const answers: number[] = []
  const product = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(req) {
      const url = new URL(req.url)
      if (req.method === 'GET') {
        const right = url.searchParams.get('hub.verify_token') === graph.env.GRAPH_VERIFY_TOKEN
        return new Response(url.searchParams.get('hub.challenge'), { status: right ? 200 : 403 })
      }
      const status = answers.shift() ?? 200
      if (status === 200) notices.push(noticed(await req.text(), req.headers.get('x-hub-signature-256')))
      return new Response(null, { status })
    },
  })
  const webhookUrl = `http://127.0.0.1:${product.port}/webhooks/cloud/7`
  const number = graph.business({
    phoneNumberId: '5501',
    wabaId: '9901',
    token: 'secret-token',
    number: '+55 31 3333-0000',
    name: 'Distribuidora São José',
    webhookUrl,
  })
  const lucia = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia', waId: '553198762210' })

  function noticed(raw: string, signature: string | null): WebhookNotice {
    const expected = `sha256=${createHmac('sha256', graph.env.GRAPH_APP_SECRET).update(raw).digest('hex')}`
    const values = list(JSON.parse(raw).entry).flatMap(entry => list(entry.changes).map(change => change.value))
    const all = (key: string) => values.flatMap(value => (isRecord(value) ? list(value[key]) : []))
    return {
      raw,
      signedRightly: signature === expected,
      messages: all('messages'),
      statuses: all('statuses'),
      contacts: all('contacts'),
    }
  }

  /** One call to Graph with the number's token; the body goes as JSON unless it is a form. */
  async function call(
    path: string,
    init: { method?: string; body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ) {
    const { body, token = 'secret-token', headers } = init
    const answer = await fetch(path.startsWith('http') ? path : `${graph.url}/v26.0/${path}`, {
      method: init.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }

  return {
    graph,
    number,
    lucia,
    notices,
    answers,
    webhookUrl,
    call,
    /** Sends `message` to Dona Lúcia. */
    send: (message: Record<string, unknown>) =>
      call('5501/messages', {
        body: { messaging_product: 'whatsapp', recipient_type: 'individual', to: '5531998762210', ...message },
      }),
    statuses: () => notices.flatMap(notice => notice.statuses.map(one => one.status)),
    async [Symbol.asyncDispose]() {
      await graph.stop()
      await product.stop(true)
    },
  }
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
