// Sends of which nobody knows whether they went out: a receipt may tell for a while, then a person is asked.
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { checkEpoch, type Owned } from './claim.ts'
import { moveMessages } from './settle.ts'

/** Says `unknown` of every message whose receipt has been waited for long enough; gives how many. */
export async function endDoubts(db: Db, owned: Owned): Promise<number> {
  return db.transaction(async tx => {
    await checkEpoch(tx, owned)
    const rows = await sqlOf(tx)<{ message_id: string }[]>`
      select o.message_id from outbox o join message m on m.id = o.message_id
      where o.whatsapp_id = ${owned.whatsappId} and o.operation = 'message' and o.state = 'unknown'
        and o.next_at <= now() and m.state = 'sending' order by o.id for update of o`
    if (rows.length > 0)
      await moveMessages(
        tx,
        rows.map(row => ({ id: Number(row.message_id), outcome: { state: 'unknown' } })),
      )
    return rows.length
  })
}
