// What the features of the server are given: the database, the configuration, and the doorbell. Made once in `server.ts`.
import type { Logger } from 'pino'
import type { Supervisor } from '../../platform/channel/control.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { License } from '../license/license.ts'

export interface Parts {
  readonly db: Db
  /** The pool of live events: what must go on while requests wait for each other. */
  readonly live: Db
  /** The copy that DATABASE_READ_URL names: figures and reports are read there. */
  readonly readDb?: Db
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
  /** Tells every process that live events were appended or something is to be sent; to be called after the commit. */
  readonly ring: () => void
  /** Tells every process that somebody came, went or is away. */
  readonly presenceChanged: () => void
  readonly supervisor: Supervisor
  readonly license: License
  /** Closes at once the sockets of sessions that were ended. */
  readonly closeEndedSockets: () => void
  /** Asks for the file of a received message again; the message itself says how it goes. */
  readonly fetchMedia: () => Promise<void>
  readonly demoAccounts: readonly { name: string; email: string; password: string }[]
}

/** One change: everything in one transaction, run again should it lose a deadlock; then the doorbell. */
export async function change<T>(parts: Pick<Parts, 'db' | 'ring'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await runInTransaction(parts.db, work)
  parts.ring()
  return result
}
