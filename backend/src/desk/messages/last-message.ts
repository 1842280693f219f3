// What lists show of a conversation is its last message: when that one changes, so does its ticket.
import type postgres from 'postgres'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { publishTicketUpdates } from '../tickets/present.ts'

/**
 * Brings the tickets whose last message is one of these up to it: its words (data has none of its own; those of a card are told), and how
 * far it got.
 */
export async function refreshLastMessage(tx: Tx, messageIds: readonly number[], words?: string): Promise<void> {
  const sql = getSql(tx)
  const changed = await sql<{ id: number }[]>`
    update ticket t set last_message = coalesce(x.words, t.last_message), last_message_type = x.type, last_message_state = x.state,
      version = t.version + 1, updated_at = now()
    from message m cross join lateral (select
      coalesce(case when not m.is_deleted then ${words ?? null}::text end, l.words) as words, l.type, l.state
      from (select ${lastMessageSql(sql)}) l) x
    where m.id = any(${messageIds}::bigint[]) and t.id = m.ticket_id and t.last_message_id = m.id
      and (t.last_message, t.last_message_type, t.last_message_state) is distinct from (coalesce(x.words, t.last_message), x.type, x.state)
    returning t.id`
  await publishTicketUpdates(tx, changed)
}

/**
 * What a list shows of the message `m`: its `words` (null: those of a card, a place or a contact, which are told), its `type`, and how far
 * it got, its `state`.
 */
export function lastMessageSql(sql: postgres.Sql) {
  return sql`
    case when m.is_deleted then '' when m.body <> '' and m.media_type not in ('location', 'vcard', 'contact_array') and m.details->'card' is null then left(m.body, 300) end as words,
    case when m.is_deleted then 'deleted' else m.media_type end as type,
    case when m.from_me and m.media_type <> 'comment' then m.state end as state`
}
