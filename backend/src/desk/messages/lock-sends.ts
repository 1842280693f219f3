// Rows are locked in one order everywhere (docs/decisions/0153): connection, send, contact, ticket, outbox, message.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

/**
 * Locks the tickets and then the outbox rows of messages `m`, in the order of their ids: whoever then locks the messages waits for nobody
 * crosswise. `mayFail`: one of them may turn out to have failed, so the sends to many that count it come first.
 */
export async function lockSends(tx: Tx, which: SqlFragment, mayFail = false): Promise<void> {
  const sql = getSql(tx)
  const counting = () => sql`
    select 1 from send where id in (select r.send_id from send_recipient r join message m on m.id = r.message_id where ${which})
    order by id for update`
  await Promise.all([
    ...(mayFail ? [counting()] : []),
    sql`select 1 from ticket where id in (select m.ticket_id from message m where ${which}) order by id for update`,
    sql`select 1 from outbox where message_id in (select m.id from message m where ${which}) order by id for update`,
  ])
}

/** The same for messages by id. */
export async function lockMessageSends(tx: Tx, messageIds: readonly number[], mayFail = false): Promise<void> {
  if (messageIds.length > 0) await lockSends(tx, getSql(tx)`m.id = any(${[...messageIds]}::bigint[])`, mayFail)
}
