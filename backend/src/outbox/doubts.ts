// Sends of which nobody knows whether they went out: a receipt may tell for a while, then a person is asked.
import { inTransaction } from '../database/again.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { lockSendsOf } from '../messages/lock-sends.ts'
import { checkEpoch, type Owned } from './claim.ts'
import { moveMessages } from './settle.ts'

/** Says `unknown` of every message whose receipt has been waited for long enough; gives how many. */
export async function endDoubts(db: Db, owned: Owned): Promise<number> {
  return inTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    await lockSendsOf(tx, await inDoubt(tx, owned))
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

async function inDoubt(tx: Tx, { whatsappId }: Owned): Promise<number[]> {
  const rows = await sqlOf(tx)<{ message_id: string }[]>`
    select o.message_id from outbox o join message m on m.id = o.message_id
    where o.whatsapp_id = ${whatsappId} and o.operation = 'message' and o.state = 'unknown'
      and o.next_at <= now() + interval '1 millisecond' and m.state = 'sending' order by o.id`
  return rows.map(row => Number(row.message_id))
}
