// A farewell, a survey or another text that nobody waits for leaves at a pace. Where the conversation goes on meanwhile, it came too late.
import { checkEpoch, type OwnedConnection } from '../../desk/connections/ownership.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import type { Claim } from './claim.ts'

/**
 * Takes back what was to be said at the end of a conversation that was opened again, by an agent or by what the customer wrote, or after
 * which the contact's next one began: a good-bye behind the first words of what goes on ends it in the customer's eyes. It stands as
 * deleted. What is said within a conversation (a protocol, a transfer) is not `paced` and stands. @returns whether it was so
 */
export async function dropOutdated(
  db: Db,
  owned: OwnedConnection,
  { id, messageId, unhurried, attempts }: Claim,
): Promise<boolean> {
  // What was tried before may have gone out.
  if (!unhurried || messageId === null || attempts > 1) return false
  return runInTransaction(db, async tx => {
    await checkEpoch(tx, owned)
    const sql = getSql(tx)
    const outdated = await sql<{ id: number }[]>`
      select t.id from message m join ticket t on t.id = m.ticket_id
      where m.id = ${messageId} and exists (select 1 from outbox o where o.id = ${id} and o.paced) and (t.status not in ('closed', 'nps') and (t.accepted_at > m.created_at
          or exists (select 1 from ticket_span s where s.ticket_id = t.id and s.status in ('closed', 'nps') and s.begun_at >= m.created_at))
        or exists (select 1 from ticket n where n.contact_id = t.contact_id and n.whatsapp_id = t.whatsapp_id and n.id <> t.id
          and n.status <> 'closed'))
      for update of t`
    if (outdated.length === 0) return false
    await sql`delete from outbox where id = ${id} and epoch = ${owned.epoch} and state = 'sending'`
    await sql`update message set is_deleted = true, state = 'queued', version = version + 1 where id = ${messageId}`
    await publishMessageEvents(tx, [messageId], 'update')
    await refreshLastMessage(tx, [messageId])
    return true
  })
}
