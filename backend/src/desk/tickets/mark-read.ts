// Reading a ticket: its unread count ends here and the customer sees the blue ticks. And putting it back among what is unread.
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { enqueueOperation, type MessageRefRow, toMessageRef } from '../messages/enqueue.ts'
import { publishMessageEvents } from '../messages/present.ts'
import { unreadSql } from '../messages/unread.ts'
import { lockTicket, lockVisibleTicket } from './lock.ts'
import { publishTicketEvents } from './present.ts'

/**
 * Marks the customer's messages as read, here and at the provider: those up to one that was seen, or all. What stands behind it
 * stays unread and counted. Nothing unread: nothing happens.
 */
export async function markRead(parts: Parts, session: Session, id: number, upTo: number | null): Promise<void> {
  await change(parts, async tx => {
    const sql = getSql(tx)
    const ticket = await lockTicket(tx, session, id)
    const rows = await sql<ReadRow[]>`
      with seen as (
        update message set read = true, version = version + 1
        where ${unreadSql(sql, id)}
          ${upTo === null ? sql`` : sql`and (at, seq) <= (select s.at, s.seq from message s where s.id = ${upTo} and s.ticket_id = ${id})`}
        returning id, whatsapp_id, provider_id, chat, from_me, author_jid, at, seq)
      select seen.id, w.id as "whatsappId", w.deleted_at is not null as "isStranded", provider_id, chat, from_me, author_jid
      from seen join whatsapp w on w.id = seen.whatsapp_id order by at, seq`
    const [left] = await sql<{ n: number; readSeq: number }[]>`
      select count(m.id)::int as n, coalesce(min(m.seq) - 1, max(t.message_seq), 0) as "readSeq"
      from ticket t left join (select id, seq from message where ${unreadSql(sql, id)}) m on true where t.id = ${id}`
    if (!left) return
    const changed = await sql`
      update ticket set unread_messages = ${left.n}, read_seq = ${left.readSeq}, version = version + 1, updated_at = now()
      where id = ${id} and unread_messages > ${left.n}`
    const gap = rows.length > 0 ? 0 : WALKED_AGAIN
    if (changed.count === 0)
      await sql`update ticket set read_seq = ${left.readSeq} where id = ${id} and read_seq + ${gap}::int < ${left.readSeq}`
    if (rows.length === 0 && changed.count === 0) return
    await tellRead(tx, ticket.contactId, rows)
    if (changed.count > 0) await publishTicketEvents(tx, [{ ticketId: id, action: 'update' }])
    await publishMessageEvents(tx, toIds(rows), 'update')
  })
}

interface ReadRow extends MessageRefRow {
  readonly id: string
  readonly whatsappId: number
  /** Its connection was deleted. */
  readonly isStranded: boolean
}

/** Each connection tells of what came to it: the ticket may have had another one. */
async function tellRead(tx: Tx, contactId: number, rows: readonly ReadRow[]): Promise<void> {
  for (const [whatsappId, some] of Map.groupBy(rows, row => row.whatsappId)) {
    const refs = some.filter(row => !row.isStranded).flatMap(row => toMessageRef(row) ?? [])
    if (refs.length > 0) await enqueueOperation(tx, { contactId, whatsappId }, null, { type: 'read', refs })
  }
}

/** So many messages of ours are walked past again before their ticket is written for nothing else. */
const WALKED_AGAIN = 50

/** Somebody wants to come back to it: it counts as unread here, and nowhere else. Unread already: nothing happens. Throws `ERR_INVALID_TRANSITION` where it is closed. */
export async function markUnread(parts: Parts, session: Session, id: number): Promise<void> {
  await change(parts, async tx => {
    const ticket = await lockVisibleTicket(tx, session, id)
    if (ticket.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION', { from: 'closed', to: 'unread' })
    const changed = await getSql(tx)`
      update ticket set unread_messages = 1, version = version + 1, updated_at = now() where id = ${id} and unread_messages = 0`
    if (changed.count > 0) await publishTicketEvents(tx, [{ ticketId: id, action: 'update' }])
  })
}
