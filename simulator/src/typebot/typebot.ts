// Stands in for Typebot's viewer: `startChat` and `continueChat` over flows that tests and the demo write, with what goes wrong there.
import { acceptAnswer, type Reply } from './answers.ts'
import type { Flow, FlowBlock, Json } from './blocks.ts'
import { DEMO_FLOWS } from './demo-flows.ts'
import { serveFile } from './files.ts'

/** A published bot. `variables`: the only ones that are filled from outside. */
export interface Bot {
  readonly flow: Flow
  readonly variables?: readonly string[]
  readonly state?: 'open' | 'closed' | 'suspended'
  /** Pages that may ask; whoever names another one is refused. */
  readonly origins?: readonly string[]
}

/** What is done with the next calls in place of an answer; `lost`: the flow heard it, and the connection breaks. */
export type FlowTrouble =
  | 'html'
  | 'nowhere'
  | 'nameless'
  | 'redirect'
  | 'enormous'
  | 'lost'
  | 'hang'
  | 'notJson'
  | 'loop'
  | number

export interface TypebotCall {
  readonly path: string
  readonly body: Json
  readonly origin: string | null
}

export interface Typebot {
  /** What the product needs in its environment to ask here. */
  readonly env: { readonly ALLOW_PRIVATE_HOSTS: string }
  readonly url: string
  readonly host: string
  /** Every call so far, also those that went wrong. */
  readonly calls: readonly TypebotCall[]
  /** How many calls of one session were ever under way at once. */
  readonly mostAtOnce: number
  /** Files that were fetched. */
  readonly fetched: readonly string[]
  publish(name: string, bot: Flow | Bot): void
  remove(name: string): void
  /** Forgets every session, as the clean-up does. */
  forget(): void
  trouble(...next: readonly FlowTrouble[]): void
  /** Milliseconds until an answer. */
  slowness: number
  /** While held nothing is answered. */
  hold(held: boolean): void
  stop(): Promise<void>
}

const RETRY = 'Invalid message. Please, try again.'

/** Starts one on a free port, with the demo's flows. */
export function startTypebot({ port = 0 }: { readonly port?: number } = {}): Typebot {
  const bots = new Map<string, Bot>(Object.entries(DEMO_FLOWS).map(([name, flow]) => [name, { flow }]))
  const sessions = new Map<string, Session>()
  const calls: TypebotCall[] = []
  const fetched: string[] = []
  const troubles: FlowTrouble[] = []
  const underWay = new Map<string, number>()
  let mostAtOnce = 0
  let held: Promise<void> | null = null
  let release = () => {}

  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    async fetch(request) {
      const { pathname: path } = new URL(request.url)
      if (path.startsWith('/files/')) {
        fetched.push(path)
        return serveFile(path.slice('/files/'.length), request.url)
      }
      const origin = request.headers.get('origin')
      const body: unknown = await request.json().catch(() => null)
      if (request.method !== 'POST' || !isRecord(body)) return createFailure(404, 'NOT_FOUND', 'Not found')
      calls.push({ path, body, origin })
      const n = (underWay.get(path) ?? 0) + 1
      underWay.set(path, n)
      if (path.includes('/sessions/')) mostAtOnce = Math.max(mostAtOnce, n)
      try {
        return await answerTo(path, body, origin)
      } finally {
        underWay.set(path, (underWay.get(path) ?? 1) - 1)
      }
    },
  })
  const host = `127.0.0.1:${server.port}`

  async function answerTo(path: string, body: Json, origin: string | null): Promise<Response> {
    const trouble = troubles.shift()
    if (held) await held
    if (typebot.slowness > 0) await Bun.sleep(typebot.slowness)
    if (trouble === 'hang') return new Promise<Response>(() => {})
    if (trouble === 'lost') {
      // The flow goes on; whoever asked will never know.
      converse(path, body, origin)
      return createBrokenAnswer()
    }
    if (trouble !== undefined) return answerTrouble(trouble, host)
    return converse(path, body, origin)
  }

  function converse(path: string, body: Json, origin: string | null): Response {
    const [, bot] = /^\/api\/v1\/typebots\/([^/]+)\/startChat$/.exec(path) ?? []
    const [, session] = /^\/api\/v1\/sessions\/([^/]+)\/continueChat$/.exec(path) ?? []
    if (bot !== undefined) return start(decodeURIComponent(bot), body, origin)
    return session === undefined
      ? createFailure(404, 'NOT_FOUND', 'Not found')
      : goOn(decodeURIComponent(session), body, origin)
  }

  function start(name: string, body: Json, origin: string | null): Response {
    const bot = bots.get(name)
    const refusal = findRefusal(bot, origin)
    if (!bot || refusal) return refusal ?? createFailure(404, 'NOT_FOUND', 'Typebot not found')
    const id = crypto.randomUUID()
    const session = beginSession(bot, body)
    sessions.set(id, session)
    const about = { sessionId: id, typebot: { id: name, version: '6', theme: {}, settings: {} } }
    if (body.isOnlyRegistering === true) return Response.json({ ...about, messages: [] })
    try {
      let output = session.run()
      // A flow that begins with a question is answered at once by the words it was started with.
      const reply = parseReply(body.message)
      if (reply && output.messages.length === 0 && output.input) output = session.answer(reply)
      // One that ends at once is kept, and would begin again.
      return Response.json({ ...about, ...output })
    } catch {
      return createFailure(500, 'INTERNAL_SERVER_ERROR', 'A block of the flow failed')
    }
  }

  function goOn(id: string, body: Json, origin: string | null): Response {
    const session = sessions.get(id)
    if (!session) return createFailure(404, 'NOT_FOUND', 'Session not found.')
    const refusal = findRefusal(session.bot, origin)
    if (refusal) return refusal
    try {
      const output = session.answer(parseReply(body.message))
      if (session.isOver) sessions.delete(id)
      return Response.json(output)
    } catch {
      return createFailure(500, 'INTERNAL_SERVER_ERROR', 'A block of the flow failed')
    }
  }

  const typebot: Typebot = {
    env: { ALLOW_PRIVATE_HOSTS: host },
    url: `http://${host}`,
    host,
    calls,
    fetched,
    get mostAtOnce() {
      return mostAtOnce
    },
    publish: (name, bot) => void bots.set(name, typeof bot === 'function' ? { flow: bot } : bot),
    remove: name => void bots.delete(name),
    forget: () => sessions.clear(),
    trouble: (...next) => void troubles.push(...next),
    slowness: 0,
    hold(now) {
      release()
      held = now ? new Promise<void>(resolve => (release = resolve)) : null
    },
    async stop() {
      release()
      await server.stop(true)
    },
  }
  return typebot
}

interface FlowStep {
  readonly messages: readonly Json[]
  readonly input?: Json
  readonly clientSideActions?: readonly Json[]
}

interface Session {
  readonly bot: Bot
  readonly isOver: boolean
  /** From the beginning to the first question. */
  run(): FlowStep
  /** On with an answer; without one where an action waited for none, or a question may be passed over. */
  answer(reply: Reply | null): FlowStep
}

function beginSession(bot: Bot, body: Json): Session {
  const prefilled = isRecord(body.prefilledVariables) ? body.prefilledVariables : {}
  const known = Object.entries(prefilled).filter(([name]) => bot.variables?.includes(name) ?? true)
  const variables = Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
  let flow = bot.flow(variables)
  let pending: Json | null = null
  let over = false

  function go(input: string | undefined): FlowStep {
    const messages: Json[] = []
    const actions: Json[] = []
    pending = null
    for (let next = flow.next(input); ; next = flow.next(undefined)) {
      if (next.done) {
        over = true
        flow = bot.flow(variables)
        return toFlowStep(messages, undefined, actions)
      }
      const block: FlowBlock = next.value
      if (block.kind === 'bubble') messages.push(block.json)
      if (block.kind === 'input') {
        pending = block.json
        return toFlowStep(messages, block.json, actions)
      }
      if (block.kind === 'action') {
        const last = messages.at(-1)?.id
        actions.push({ ...block.json, ...(last !== undefined && { lastBubbleBlockId: last }) })
        if (block.json.expectsDedicatedReply === true) return toFlowStep(messages, undefined, actions)
      }
    }
  }

  return {
    bot,
    get isOver() {
      return over
    },
    run: () => go(undefined),
    answer(reply) {
      if (over) {
        over = false
        return go(undefined)
      }
      if (pending === null) return go(reply?.text)
      const words = acceptAnswer(pending, reply)
      if (words !== null) return go(words)
      const retry = {
        id: 'retry',
        type: 'text',
        content: { type: 'richText', richText: [{ type: 'p', children: [{ text: RETRY }] }] },
      }
      return toFlowStep([retry], pending, [])
    },
  }
}

function toFlowStep(messages: readonly Json[], input: Json | undefined, actions: readonly Json[]): FlowStep {
  return { messages, ...(input && { input }), ...(actions.length > 0 && { clientSideActions: actions }) }
}

function findRefusal(bot: Bot | undefined, origin: string | null): Response | null {
  if (bot?.state === 'closed') return createFailure(400, 'BAD_REQUEST', 'This typebot is now closed')
  if (bot?.state === 'suspended') return createFailure(403, 'FORBIDDEN', 'This typebot is suspended')
  const isStranger = bot?.origins && origin !== null && !bot.origins.includes(origin)
  return isStranger ? createFailure(403, 'FORBIDDEN', 'Origin not allowed') : null
}

function parseReply(message: unknown): Reply | null {
  if (typeof message === 'string') return { text: message, replyId: undefined, files: [], isAudio: false }
  if (!isRecord(message)) return null
  if (message.type === 'audio') return { text: '', replyId: undefined, files: [String(message.url)], isAudio: true }
  const { text, metadata, attachedFileUrls } = message
  return {
    text: typeof text === 'string' ? text : '',
    replyId: isRecord(metadata) && typeof metadata.replyId === 'string' ? metadata.replyId : undefined,
    files: Array.isArray(attachedFileUrls) ? attachedFileUrls.map(String) : [],
    isAudio: false,
  }
}

function answerTrouble(trouble: Exclude<FlowTrouble, 'hang' | 'lost'>, host: string): Response {
  switch (trouble) {
    case 'html':
      return new Response('<!doctype html><title>Entrar</title>', { headers: { 'content-type': 'text/html' } })
    case 'nowhere':
      return new Response('<!doctype html><title>404</title>', {
        status: 404,
        headers: { 'content-type': 'text/html' },
      })
    case 'nameless':
      return Response.json({ messages: [], input: { id: 'q', type: 'text input', options: {} } })
    case 'redirect':
      return Response.redirect('https://typebot.example/signin', 307)
    case 'loop':
      return Response.redirect(`http://${host}/api/v1/typebots/de-novo/startChat`, 307)
    case 'notJson':
      return new Response('{"messages": [', { headers: { 'content-type': 'application/json' } })
    case 'enormous':
      return new Response(streamTenMegabytes(), { headers: { 'content-type': 'application/json' } })
    default:
      return createFailure(trouble, 'ERROR', 'Something went wrong')
  }
}

/** Ten megabytes that nobody announced. */
function streamTenMegabytes(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(' '.repeat(64 * 1024))
  let left = 160
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(piece)
      else controller.close()
    },
  })
}

/** An answer that breaks off. */
function createBrokenAnswer(): Response {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error('broken'))
    },
  })
  return new Response(stream, { headers: { 'content-type': 'application/json' } })
}

function createFailure(status: number, code: string, message: string): Response {
  return Response.json({ message, code }, { status })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
