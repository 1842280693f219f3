// Until when answers are due, counted anew where a target or the hours are others (docs/decisions/0317).
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { publishTicketUpdates } from './present.ts'

export const REFRESH_DUE = 'refresh-due'
/** A batch is one short transaction. */
const BATCH = 200
const ATTEMPTS = 5

/** What waits is counted anew by a job, after this transaction. */
export function enqueueDueRefresh(tx: Tx): Promise<void> {
  return enqueueJob(tx, REFRESH_DUE, { key: REFRESH_DUE, attempts: ATTEMPTS, queue: REFRESH_DUE })
}

/** Counts anew until when each answer is due; what is right already stays, so who is killed leaves the rest to the next. */
export async function refreshDue(db: Db, signal?: AbortSignal): Promise<void> {
  for (let changed = BATCH; changed === BATCH && !signal?.aborted; )
    changed = await runInTransaction(db, tx => refreshSome(tx))
}

async function refreshSome(tx: Tx): Promise<number> {
  const sql = getSql(tx)
  await sql`select pg_advisory_xact_lock_shared(hashtext('work_span'))`
  const rows = await sql<{ id: number }[]>`
    with wrong as (
      select t.id from ticket t where t.status in ('pending', 'open') and not t.is_group and t.answer_since is not null
        and t.answer_due_at is distinct from answer_due(t)::timestamptz(3) order by t.id limit ${BATCH} for update)
    update ticket t set answer_due_at = answer_due(t), version = t.version + 1 from wrong where t.id = wrong.id
    returning t.id`
  await publishTicketUpdates(
    tx,
    toIds(rows)
      .toSorted((one, other) => one - other)
      .map(id => ({ id })),
  )
  return rows.length
}
