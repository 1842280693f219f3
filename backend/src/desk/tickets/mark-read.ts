// Reading a ticket: its unread count ends here and the customer sees the blue ticks.
import type { MessageRef } from '../../platform/channel/driver.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { enqueueOperation, type MessageRefRow, toMessageRef } from '../messages/enqueue.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { lockTicket } from './lock.ts'
import { publishTicketEvents } from './present.ts'

/**
 * Marks the customer's messages as read, here and at the provider: those up to one that was seen, or all. What stands behind it
 * stays unread and counted. Nothing unread: nothing happens.
 */
export async function markRead(parts: Parts, session: Session, id: number, upTo: number | null): Promise<void> {
  await change(parts, async tx => {
    const sql = getSql(tx)
    const ticket = await lockTicket(tx, session, id)
    const rows = await sql<(MessageRefRow & { id: string })[]>`
      with seen as (
        update message set read = true, version = version + 1
        where ticket_id = ${id} and not read and not from_me
          ${upTo === null ? sql`` : sql`and (at, seq) <= (select s.at, s.seq from message s where s.id = ${upTo} and s.ticket_id = ${id})`}
        returning id, provider_id, chat, from_me, author_jid, at, seq)
      select id, provider_id, chat, from_me, author_jid from seen order by at, seq`
    const left =
      upTo === null
        ? sql`0`
        : sql`(select count(*)::int from message where ticket_id = ${id} and not read and not from_me)`
    const changed =
      await sql`update ticket set unread_messages = least(unread_messages, ${left}), version = version + 1,
      updated_at = now() where id = ${id} and unread_messages > ${left}`
    if (rows.length === 0 && changed.count === 0) return
    const refs = rows.map(toMessageRef).filter((ref): ref is MessageRef => ref !== null)
    if (refs.length > 0) await enqueueOperation(tx, ticket, null, { type: 'read', refs })
    if (changed.count > 0) await publishTicketEvents(tx, [{ ticketId: id, action: 'update' }])
    await publishMessageEvents(tx, toIds(rows), 'update')
  })
}
