// What the gateway posts for one device: signed, five times at most, and then lost. Troubled on request.
import { createHmac } from 'node:crypto'

export interface Webhook {
  url: string
  secret: string
  events: readonly string[]
}

export interface GowaLaneOptions {
  /** First pause before a repeat, in ms; doubles each time. */
  readonly retryBaseMs: number
  readonly timeoutMs: number
  readonly report: (outcome: GowaOutcome) => void
}

export interface GowaOutcome {
  readonly outcome: 'delivered' | 'retrying' | 'lost' | 'dropped'
  readonly event: string
  readonly attempt: number
  readonly status?: number
}

export const TRIES = 5

interface WebhookDelivery {
  readonly event: string
  readonly raw: string
}

export class Lane {
  /** The next N are lost at once, come twice, or are signed by somebody else. */
  drop = 0
  repeat = 0
  forge = 0
  private held: WebhookDelivery[] = []
  private holding = 0
  private tail: Promise<void> = Promise.resolve()
  private pending = 0
  private stopped = false
  private readonly timers = new Set<Timer>()
  private readonly waiters = new Set<() => void>()

  constructor(
    private readonly webhook: () => Webhook | undefined,
    private readonly options: GowaLaneOptions,
  ) {}

  post(event: string, body: Record<string, unknown>): void {
    const delivery = { event, raw: JSON.stringify(body) }
    if (this.drop > 0) {
      this.drop--
      this.options.report({ outcome: 'dropped', event, attempt: 0 })
    } else if (this.holding > 0) {
      this.held.push(delivery)
      if (this.held.length >= this.holding) this.release()
    } else this.send(delivery)
  }

  /** Holds the next N and then posts them last first. */
  reorder(count: number): void {
    this.holding = count
  }

  release(): void {
    const held = this.held.reverse()
    this.held = []
    this.holding = 0
    for (const delivery of held) this.send(delivery)
  }

  /** Resolves when everything is delivered or lost. */
  async idle(): Promise<void> {
    if (this.pending > 0) await new Promise<void>(resolve => this.waiters.add(resolve))
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers) clearTimeout(timer)
    this.pending = 0
    this.settle()
  }

  private send(delivery: WebhookDelivery): void {
    const times = this.repeat > 0 ? 2 : 1
    if (times === 2) this.repeat--
    for (let time = 0; time < times; time++) {
      this.pending++
      this.tail = this.tail.then(() => this.attempt(delivery, 1))
    }
  }

  private async attempt(delivery: WebhookDelivery, attempt: number): Promise<void> {
    const webhook = this.webhook()
    if (this.stopped || !webhook?.events.includes(delivery.event)) return this.over()
    const secret = this.forge > 0 ? 'secret' : webhook.secret
    if (this.forge > 0) this.forge--
    const status = await deliver(webhook.url, delivery.raw, secret, this.options.timeoutMs)
    if (this.stopped) return
    const done = status >= 200 && status < 300
    const outcome = done ? 'delivered' : attempt >= TRIES ? 'lost' : 'retrying'
    this.options.report({ outcome, event: delivery.event, attempt, status })
    if (outcome !== 'retrying') return this.over()
    // A repeat waits beside the lane: what comes later overtakes it.
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        void this.attempt(delivery, attempt + 1)
      },
      this.options.retryBaseMs * 2 ** (attempt - 1),
    )
    this.timers.add(timer)
  }

  private over(): void {
    this.pending--
    this.settle()
  }

  private settle(): void {
    if (this.pending > 0) return
    for (const wake of this.waiters) wake()
    this.waiters.clear()
  }
}

/** The HTTP status; 0 when nobody answered. */
async function deliver(url: string, raw: string, secret: string, timeoutMs: number): Promise<number> {
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body: raw,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
