// A double of Meta's Graph API for WhatsApp: what a business sends lands in customers' chats, what customers do comes as webhooks.
import { randomBytes } from 'node:crypto'
import { extractDigits, listPhoneVariants } from '@balcao/contract/contacts/phone'
import type { GraphEntry } from './content.ts'
import { GraphCustomerPhone } from './customer-phone.ts'
import { GraphMediaStore } from './media-store.ts'
import type { Business, Customer } from './people.ts'
import { handle } from './routes.ts'
import { type GraphTemplate, sampleTemplates } from './templates.ts'
import { type GraphOutcome, WebhookLane } from './webhook-lane.ts'

export interface GraphOptions {
  /** 0 takes any free port. */
  port?: number
  appSecret?: string
  verifyToken?: string
  /** Pause between an accepted message and each of its statuses, in ms. */
  ackDelayMs?: number
  /** How much slower a phone on a slow network is, in ms. */
  slowMs?: number
  /** First pause before a webhook is repeated, in ms. */
  retryBaseMs?: number
  /** Longest pause between two tries, in ms; a minute unless given. */
  retryMostMs?: number
  /** How often a webhook is tried at all. */
  webhookAttempts?: number
  now?: () => number
}

export type GraphEvent =
  | { type: 'message'; business: Business; customer: Customer; entry: GraphEntry }
  | { type: 'status'; business: Business; customer: Customer; entry: GraphEntry }
  | { type: 'typing'; business: Business; customer: Customer; on: boolean }
  | { type: 'refused'; business: Business; code: number }
  | { type: 'webhook'; business: Business; result: GraphOutcome }

/** What the routes and phones of one double share. */
export interface GraphState {
  readonly url: string
  readonly verifyToken: string
  readonly appSecret: string
  readonly options: Required<Pick<GraphOptions, 'ackDelayMs' | 'slowMs'>>
  readonly media: GraphMediaStore
  readonly businesses: Map<string, Business>
  readonly customers: Set<GraphCustomerPhone>
  now(): number
  /** Runs later, unless the double is stopped first; `idle` waits for it. */
  later(run: () => void, ms: number): void
  /** Likewise, but nobody waits for it. */
  aside(run: () => void, ms: number): void
  emit(event: GraphEvent): void
}

export interface BusinessOptions {
  phoneNumberId: string
  wabaId: string
  token: string
  number: string
  name: string
  /** Where its webhooks go; may come later, by `subscribed_apps` or `lane.url`. */
  webhookUrl?: string
  templates?: GraphTemplate[]
}

export interface GraphCustomerOptions {
  number: string
  name: string
  waId?: string
  userId?: string
  username?: string
  phoneHidden?: boolean
}

export type GraphSimulator = Awaited<ReturnType<typeof startGraph>>

/**
 * Starts the double on its own port. `env` is what the product needs to reach it.
 * @example
 * const graph = await startGraph({ port: 0 })
 * const number = graph.business({ phoneNumberId: '1', wabaId: '2', token: 't', number: '+55 31 3333-0000', name: 'São José', webhookUrl })
 * await graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia' }).send(number, { type: 'text', text: 'Oi' })
 */
export async function startGraph(options: GraphOptions = {}) {
  const now = options.now ?? Date.now
  const appSecret = options.appSecret ?? randomBytes(16).toString('hex')
  const verifyToken = options.verifyToken ?? randomBytes(12).toString('hex')
  const listeners = new Set<(event: GraphEvent & { at: Date }) => void>()
  const timers = new Set<Timer>()
  const waiters: (() => void)[] = []
  let steps = 0
  const businesses = new Map<string, Business>()
  const customers = new Set<GraphCustomerPhone>()
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 120 * 1024 * 1024,
    fetch: req => handle(world, req),
  })
  const world: GraphState = {
    url: `http://127.0.0.1:${server.port}`,
    appSecret,
    verifyToken,
    options: { ackDelayMs: options.ackDelayMs ?? 0, slowMs: options.slowMs ?? 3000 },
    media: new GraphMediaStore(now),
    businesses,
    customers,
    now,
    later(run, ms) {
      steps++
      aside(() => {
        steps--
        run()
        if (steps === 0) for (const wake of waiters.splice(0)) wake()
      }, ms)
    },
    aside,
    emit: event => {
      for (const listener of listeners) listener({ ...event, at: new Date(now()) })
    },
  }

  function aside(run: () => void, ms: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }

  function business(custom: BusinessOptions): Business {
    const lane = new WebhookLane({
      wabaId: custom.wabaId,
      secret: appSecret,
      retryBaseMs: options.retryBaseMs ?? 500,
      retryMostMs: options.retryMostMs ?? 60_000,
      attempts: options.webhookAttempts ?? 20,
      report: result => world.emit({ type: 'webhook', business: made, result }),
    })
    lane.url = custom.webhookUrl
    const made: Business = {
      phoneNumberId: custom.phoneNumberId,
      wabaId: custom.wabaId,
      number: extractDigits(custom.number),
      name: custom.name,
      token: custom.token,
      templates: custom.templates ?? sampleTemplates(),
      lane,
      entries: new Map(),
      refusals: [],
      failures: [],
      refuse: (code, more = {}) => void made.refusals.push({ code, times: more.times ?? 1, ...more }),
      failNext: code => void made.failures.push(code),
    }
    businesses.set(made.phoneNumberId, made)
    return made
  }

  function customer(options: GraphCustomerOptions): Customer {
    const phone = new GraphCustomerPhone(world, options)
    customers.add(phone)
    return phone
  }

  return {
    url: world.url,
    env: { GRAPH_URL: world.url, GRAPH_VERSION: 'v26.0', GRAPH_APP_SECRET: appSecret, GRAPH_VERIFY_TOKEN: verifyToken },
    business,
    customer,
    businesses,
    /** The customer with this number, with or without the ninth digit. */
    find: (number: string) => findCustomerByPhone(world, number),
    /** Answers a request without the network. */
    fetch: (req: Request) => handle(world, req),
    /** Calls `listener` with everything that happens; returns how to stop. */
    on(listener: (event: GraphEvent & { at: Date }) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Asks the product's webhook for the challenge, as Meta does when an app is set up. */
    verify: (url: string) => verifyWebhook(url, verifyToken),
    /** Resolves when every step under way is done and every webhook is delivered or given up. */
    async idle(): Promise<void> {
      while (steps > 0) await new Promise<void>(resolve => waiters.push(resolve))
      await Promise.all([...businesses.values()].map(one => one.lane.idle()))
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer)
      for (const one of businesses.values()) one.lane.stop()
      await server.stop(true)
    },
  }
}

/** The customer Meta would find for a dialled number: Brazilian mobiles with or without the ninth digit. */
export function findCustomerByPhone(world: GraphState, input: string): GraphCustomerPhone | undefined {
  const spellings = listPhoneVariants(extractDigits(input))
  return [...world.customers].find(one => spellings.includes(one.number) || spellings.includes(one.waId))
}

/** True when the webhook echoes the challenge as text. */
export async function verifyWebhook(url: string, verifyToken: string): Promise<boolean> {
  const challenge = String(Math.floor(Math.random() * 2 ** 31))
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verifyToken,
    'hub.challenge': challenge,
  })
  try {
    const answer = await fetch(`${url}?${query}`, { signal: AbortSignal.timeout(10_000) })
    return answer.status === 200 && (await answer.text()) === challenge
  } catch {
    return false
  }
}
