// A connection was deleted: what still waited in its outbox will never go out, and its messages say so.
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { moveMessages } from './settle.ts'

const ERROR = { code: 'connection_deleted', message: 'The connection was deleted before the message was sent' }

/** Ends everything that waits; gives how much that was. */
export async function giveUpWaiting(db: Db, whatsappId: number): Promise<number> {
  return db.transaction(async tx => {
    const rows = await sqlOf(tx)<{ message_id: string | null; operation: string }[]>`
      update outbox set state = 'failed', error = ${ERROR.code}, done_at = now()
      where whatsapp_id = ${whatsappId} and state in ('queued', 'sending') returning message_id, operation`
    const doubted = await sqlOf(tx)<{ id: string }[]>`
      select m.id from outbox o join message m on m.id = o.message_id
      where o.whatsapp_id = ${whatsappId} and o.operation = 'message' and o.state = 'unknown' and m.state = 'sending'`
    if (doubted.length > 0)
      await moveMessages(
        tx,
        doubted.map(row => ({ id: Number(row.id), outcome: { state: 'unknown' } })),
      )
    const messages = rows.filter(row => row.operation === 'message' && row.message_id !== null)
    if (messages.length > 0)
      await moveMessages(
        tx,
        messages.map(row => ({ id: Number(row.message_id), outcome: { state: 'failed', error: ERROR } })),
      )
    return rows.length
  })
}
