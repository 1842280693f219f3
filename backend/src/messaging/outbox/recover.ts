// Sends of which nobody knows whether they went out: what an owner before us left half done, and what no receipt has told of.
import type { MessageState } from '@balcao/contract'
import { checkEpoch, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { lockMessageSends, lockSends } from '../../desk/messages/lock-sends.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import type { Claim } from './claim.ts'
import { isHarmless, moveMessages, type SendOutcome } from './settle.ts'

/**
 * Rows left in `sending` by an earlier epoch. Proven by an echo or a receipt: done. Harmless to repeat: queued again under the
 * same id. Otherwise `unknown`: it may or may not have reached the customer, and only a person may send it again, asked when no
 * receipt has told within `traceMs`.
 */
export async function recoverSends(db: Db, owned: OwnedConnection, resendSafe: boolean, traceMs = 0): Promise<number> {
  return runInTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    const sql = getSql(tx)
    await lockSends(
      tx,
      sql`m.id in (select o.message_id from outbox o
        where o.whatsapp_id = ${owned.whatsappId} and o.state = 'sending' and o.epoch < ${owned.epoch})`,
    )
    const left = await sql<Row[]>`
      select o.id, o.operation, o.message_id, m.state from outbox o left join message m on m.id = o.message_id
      where o.whatsapp_id = ${owned.whatsappId} and o.state = 'sending' and o.epoch < ${owned.epoch} order by o.id for update of o`
    const moves: { id: number; outcome: SendOutcome }[] = []
    for (const row of left) {
      const state = decideFate(row, resendSafe)
      await sql`update outbox set state = ${state}, may_be_out = may_be_out or ${state === 'queued'}, next_at = now() + ${state === 'unknown' ? traceMs : 0} * interval '1 millisecond', error = 'left by an earlier owner',
        done_at = case when ${state === 'queued'} then null else now() end where id = ${row.id}`
      if (row.operation !== 'message' || row.message_id === null || state === 'done') continue
      const outcome: SendOutcome = state === 'unknown' ? { state, waitMs: traceMs } : { state, afterMs: 0, error: '' }
      moves.push({ id: Number(row.message_id), outcome })
    }
    if (moves.length > 0) await moveMessages(tx, moves)
    return left.length
  })
}

interface Row {
  id: string
  operation: Claim['operation']
  message_id: string | null
  state: MessageState | null
}

function decideFate(row: Row, resendSafe: boolean): 'done' | 'queued' | 'unknown' {
  if (row.operation === 'message' && (row.state === 'sent' || row.state === 'delivered' || row.state === 'read'))
    return 'done'
  return isHarmless(row, resendSafe) ? 'queued' : 'unknown'
}

/** Says `unknown` of every message whose receipt has been waited for long enough; gives how many. */
export async function settleDoubts(db: Db, owned: OwnedConnection): Promise<number> {
  if ((await inDoubt(db, owned)).length === 0) return 0
  return runInTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    await lockMessageSends(tx, await inDoubt(tx, owned))
    // A receipt may have told of some while they were being locked.
    const ids = await inDoubt(tx, owned)
    if (ids.length > 0)
      await moveMessages(
        tx,
        ids.map(id => ({ id, outcome: { state: 'unknown' } })),
      )
    return ids.length
  })
}

async function inDoubt(db: Db | Tx, { whatsappId }: OwnedConnection): Promise<number[]> {
  const rows = await getSql(db)<{ message_id: string }[]>`
    select o.message_id from outbox o join message m on m.id = o.message_id
    where o.whatsapp_id = ${whatsappId} and o.operation = 'message' and o.state = 'unknown'
      and o.next_at <= now() + interval '1 millisecond' and m.state = 'sending' order by o.id`
  return rows.map(row => Number(row.message_id))
}
