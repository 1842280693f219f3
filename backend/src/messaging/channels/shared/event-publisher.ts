// Hands a driver's events to the desk one after another, in the order they came, and does not lose them while the database is away.
import type { ChannelEvent, DriverHost } from '../../../platform/channel/driver.ts'
import { isDatabaseReachable } from '../../../platform/database/raw.ts'

const LARGEST_BATCH = 50
const PAUSES_MS = [100, 500, 1000, 2000, 5000]

interface PendingEvents {
  readonly events: readonly ChannelEvent[]
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export class EventPublisher {
  private waiting: PendingEvents[] = []
  private running = false
  private closed = false

  constructor(private readonly host: Pick<DriverHost, 'emit' | 'db' | 'log' | 'connectionId'>) {}

  /** Resolves once the events are committed; rejects when the desk refuses them for good or the driver is closed. */
  tell(events: readonly ChannelEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve()
    if (this.closed) return Promise.reject(new Error('The driver is stopped'))
    return new Promise((done, failed) => {
      this.waiting.push({ events, done, failed })
      this.run().catch(failed)
    })
  }

  /** The same where nobody waits: a refusal is logged. */
  say(events: readonly ChannelEvent[]): void {
    this.tell(events).catch(error => {
      if (!this.closed) this.host.log.error(this.fields(error, events), 'events could not be stored')
    })
  }

  /** Nothing more is told; what was not handed over yet is refused, so that its sender keeps it. */
  close(): void {
    this.closed = true
  }

  private async run(): Promise<void> {
    if (this.running) return
    this.running = true
    try {
      for (;;) {
        const batch = this.waiting.splice(0, LARGEST_BATCH)
        if (batch.length === 0) return
        if (!(await this.hand(batch)) && batch.length > 1) for (const one of batch) await this.hand([one])
      }
    } finally {
      this.running = false
    }
  }

  /** @returns false when a batch of several was refused and is to be tried one by one */
  private async hand(batch: readonly PendingEvents[]): Promise<boolean> {
    const events = batch.flatMap(one => one.events)
    let refusals = 0
    for (;;) {
      try {
        if (this.closed) throw new Error('The driver is stopped')
        await this.host.emit(events)
        for (const one of batch) one.done()
        return true
      } catch (error) {
        // While the database is away nothing was refused: it waits.
        if (!this.closed && (await isDatabaseReachable(this.host.db))) refusals++
        if (!this.closed && batch.length > 1 && refusals > 0) return false
        if (this.closed || refusals > PAUSES_MS.length) {
          for (const one of batch) one.failed(error)
          return true
        }
        if (refusals <= 1) this.host.log.warn(this.fields(error, events), 'events are tried again')
        await Bun.sleep(PAUSES_MS[Math.max(0, refusals - 1)] ?? 1000)
      }
    }
  }

  private fields(error: unknown, events: readonly ChannelEvent[]): object {
    const reason = error instanceof Error ? error.name : 'unknown'
    return { connectionId: this.host.connectionId, reason, kinds: events.map(event => event.type) }
  }
}
