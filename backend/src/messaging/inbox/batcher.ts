// Hands a connection's events to the inbox one batch after the other: those that come while a batch is being committed go together in the next.
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { type InboxResult, type ReceivingConnection, receiveEvents } from './receive.ts'

/** More than this in one transaction makes nobody faster and everybody wait. */
const BATCH = 50
const LONGEST_WAIT_MS = 1000

export interface InboxBatcher {
  /** Resolves when the events are committed. While the database does not answer it waits: nothing is given up. */
  take(events: readonly ChannelEvent[]): Promise<void>
  /** Resolves when everything taken so far is committed. */
  stop(): Promise<void>
}

export interface InboxBatcherCallbacks {
  /** Something was stored: ring the bells it names. */
  readonly taken: (result: InboxResult) => void
  /** The database refused; the batch is tried again. */
  readonly failed: (error: unknown, attempt: number) => void
}

interface PendingEvent {
  readonly event: ChannelEvent
  readonly done: () => void
}

/** A taker for one connection. Its events keep their order. */
export function createInboxBatcher(
  db: Db,
  connection: ReceivingConnection,
  after: InboxBatcherCallbacks,
): InboxBatcher {
  const waiting: PendingEvent[] = []
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      after.taken(await persist(batch.map(({ event }) => event)))
      for (const { done } of batch) done()
    }
    working = null
  }

  async function persist(events: readonly ChannelEvent[]): Promise<InboxResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await receiveEvents(db, connection, events)
      } catch (error) {
        after.failed(error, attempt)
        await Bun.sleep(Math.min(LONGEST_WAIT_MS, 50 * 2 ** attempt))
      }
    }
  }

  return {
    async take(events) {
      if (events.length === 0) return
      const committed = Promise.all(events.map(event => new Promise<void>(done => waiting.push({ event, done }))))
      working ??= work()
      await committed
    },
    async stop() {
      await working
    },
  }
}
