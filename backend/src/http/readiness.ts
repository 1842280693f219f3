// Whether this process can serve: the database answers, and how the connections' messages flow.
import type { ConnectionStatus } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import type { Parts } from '../parts.ts'

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
}

/** A connection that is down does not make the process unready: agents still work with the others. */
export async function readinessOf({ db }: Parts, draining: boolean): Promise<Readiness> {
  try {
    const connections = await sqlOf(db)<Row[]>`
      select w.id, w.status, count(o.id)::int as waiting,
        coalesce(extract(epoch from now() - min(o.created_at)), 0)::int as "waitingSeconds"
      from whatsapp w left join outbox o on o.whatsapp_id = w.id and o.state in ('queued', 'sending')
      where w.deleted_at is null group by w.id order by w.id`
    return { ready: !draining, database: 'ok', draining, connections: [...connections] }
  } catch {
    return { ready: false, database: 'down', draining, connections: [] }
  }
}

interface Row {
  id: number
  status: ConnectionStatus
  waiting: number
  waitingSeconds: number
}
