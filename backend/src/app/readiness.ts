// Whether this process can serve: the database answers, and how the connections' messages flow.
import type { ConnectionStatus } from '@balcao/contract'
import { type BackupState, readBackupState } from '../operations/backup/alarm.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/database/client.ts'
import { type OpenTransaction, openTransactions } from '../platform/database/open-transactions.ts'
import { getSql } from '../platform/database/raw.ts'
import type { Parts } from '../policy/kit/parts.ts'

export interface Readiness {
  readonly ready: boolean
  readonly database: 'ok' | 'down'
  readonly draining: boolean
  /** One entry a connection: its status, what waits in its outbox, and since when in seconds. */
  readonly connections: readonly {
    readonly id: number
    readonly status: ConnectionStatus
    readonly waiting: number
    readonly waitingSeconds: number
  }[]
  /** Transactions that have written and stay open, of anybody on the database's server: live events may wait for them. */
  readonly openTransactions: readonly OpenTransaction[]
  /** The newest good backup; null: none are made daily. */
  readonly backup: BackupState | null
}

type Answer = Pick<Readiness, 'connections' | 'openTransactions' | 'backup'>

/** A database that has not answered by then is not there, whatever comes later. */
const PATIENCE_MS = 2000
/** Our own transactions never last so long. */
const LONG_S = 10
let asking: { readonly of: Db; readonly answer: Promise<Answer> } | undefined

/** A connection that is down does not make the process unready: agents still work with the others. */
export async function checkReadiness(
  { live, config }: Pick<Parts, 'live' | 'config'>,
  draining: boolean,
): Promise<Readiness> {
  try {
    // One question at a time: while the database hangs, whoever asks again waits for the same answer.
    if (asking?.of !== live) asking = { of: live, answer: ask(live, config).finally(() => (asking = undefined)) }
    const answer = await Promise.race([asking.answer, Bun.sleep(PATIENCE_MS).then(late)])
    return { ready: !draining, database: 'ok', draining, ...answer }
  } catch {
    return { ready: false, database: 'down', draining, connections: [], openTransactions: [], backup: null }
  }
}

async function ask(db: Db, config: Config): Promise<Answer> {
  const [connections, open, backup] = await Promise.all([
    getSql(db)<Answer['connections'][number][]>`
      select w.id, w.status, count(o.id)::int as waiting,
        coalesce(extract(epoch from now() - min(o.created_at)), 0)::int as "waitingSeconds"
      from whatsapp w left join outbox o on o.whatsapp_id = w.id and o.state in ('queued', 'sending')
      where w.deleted_at is null group by w.id order by w.id`,
    openTransactions(db, LONG_S),
    readBackupState(db, config),
  ])
  return { connections, openTransactions: open, backup }
}

function late(): never {
  throw new Error('The database did not answer in time')
}
