// One business number's webhooks: signed, posted in order, retried with growing pauses, and troubled on request.
import { createHmac } from 'node:crypto'

export interface WebhookChange {
  field: string
  value: Record<string, unknown>
}

export interface GraphOutcome {
  outcome: 'delivered' | 'retrying' | 'given up' | 'dropped'
  attempt: number
  status?: number
}

export interface GraphLaneOptions {
  wabaId: string
  secret: string
  /** First pause before a repeat, in ms; doubles each time up to `retryMostMs`. */
  retryBaseMs: number
  retryMostMs: number
  attempts: number
  report: (outcome: GraphOutcome) => void
}

/** Escapes everything outside ASCII as `\uXXXX`, as Meta does before it signs. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function signBody(secret: string, raw: string): string {
  return `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
}

export class WebhookLane {
  url: string | undefined
  /** The next N notifications vanish. */
  drop = 0
  /** The next N notifications are delivered twice. */
  repeat = 0
  /** Every notification waits this long, in ms. */
  delayMs = 0
  private reorderOf = 0
  private held: WebhookChange[][] = []
  private batch: WebhookChange[] | undefined
  private tail: Promise<void> = Promise.resolve()
  private pending = 0
  private stopped = false
  private readonly waiters = new Set<() => void>()
  private readonly timers = new Set<Timer>()
  private readonly options: GraphLaneOptions

  constructor(options: GraphLaneOptions) {
    this.options = options
  }

  post(change: WebhookChange): void {
    if (this.batch) this.batch.push(change)
    else this.offer([change])
  }

  /** Holds the next N notifications and then delivers them last first. */
  reorder(count: number): void {
    this.reorderOf = count
  }

  /** Delivers at once what `reorder` still holds. */
  release(): void {
    const held = this.held.reverse()
    this.held = []
    this.reorderOf = 0
    for (const changes of held) this.send(changes)
  }

  /** What happens meanwhile is delivered in one POST. */
  async together(during: () => Promise<void>): Promise<void> {
    this.batch = []
    try {
      await during()
    } finally {
      const changes = this.batch
      this.batch = undefined
      if (changes.length > 0) this.offer(changes)
    }
  }

  /** Resolves when nothing is under way: everything is delivered or given up. */
  async idle(): Promise<void> {
    if (this.pending > 0) await new Promise<void>(resolve => this.waiters.add(resolve))
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers) clearTimeout(timer)
    this.pending = 0
    this.settle()
  }

  private offer(changes: WebhookChange[]): void {
    if (this.drop > 0) {
      this.drop--
      this.options.report({ outcome: 'dropped', attempt: 0 })
      return
    }
    if (this.reorderOf > 0) {
      this.held.push(changes)
      if (this.held.length >= this.reorderOf) this.release()
      return
    }
    this.send(changes)
  }

  private send(changes: WebhookChange[]): void {
    const times = this.repeat > 0 ? 2 : 1
    if (times === 2) this.repeat--
    const raw = escapeJson({
      object: 'whatsapp_business_account',
      entry: groupChanges(changes).map(group => ({
        id: this.options.wabaId,
        time: Math.floor(Date.now() / 1000),
        changes: group,
      })),
    })
    for (let time = 0; time < times; time++) {
      this.pending++
      this.tail = this.tail.then(() => this.attempt(raw, 1))
    }
  }

  private async attempt(raw: string, attempt: number): Promise<void> {
    if (this.delayMs > 0) await new Promise<void>(resolve => this.later(resolve, this.delayMs))
    if (this.stopped) return
    const status = this.url ? await deliver(this.url, raw, signBody(this.options.secret, raw)) : 0
    if (this.stopped) return
    if (status === 200 || !this.url || attempt >= this.options.attempts) {
      this.options.report({ outcome: status === 200 ? 'delivered' : 'given up', attempt, status })
      this.pending--
      this.settle()
      return
    }
    this.options.report({ outcome: 'retrying', attempt, status })
    // A repeat waits beside the lane: later notifications overtake it, as they do at Meta.
    this.later(
      () => void this.attempt(raw, attempt + 1),
      Math.min(this.options.retryMostMs, this.options.retryBaseMs * 2 ** (attempt - 1)),
    )
  }

  private later(run: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      run()
    }, ms)
    this.timers.add(timer)
  }

  private settle(): void {
    if (this.pending > 0) return
    for (const wake of this.waiters) wake()
    this.waiters.clear()
  }
}

/** A batch as Meta shapes it: messages in one entry, the rest in another, each change on its own. */
function groupChanges(changes: WebhookChange[]): WebhookChange[][] {
  const messages = changes.filter(change => 'messages' in change.value)
  const others = changes.filter(change => !('messages' in change.value))
  return [messages, others].filter(group => group.length > 0)
}

/** The HTTP status of one POST; 0 when nobody answered. */
async function deliver(url: string, raw: string, signed: string): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signed,
        'user-agent': 'facebookexternalua',
      },
      body: raw,
      signal: AbortSignal.timeout(10_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}
