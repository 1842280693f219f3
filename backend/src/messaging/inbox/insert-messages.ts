// The rows of messages that came in, with their numbers, and what their tickets show of them.
import { cleanName } from '../../desk/contacts/identity.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import type { InboundMessage } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { type InboxBatch, type PlacedMessage, type ReceivedMessage, toWholeSecond } from './batch.ts'
import { toMessageColumns } from './content.ts'
import { findQuoted, storedQuoteSql } from './quotes.ts'

/** Stores the messages with the numbers they get under the tickets' locks, and what the tickets show of them: one statement. */
export async function insertMessages(
  receiving: InboxBatch,
  placed: readonly PlacedMessage[],
): Promise<ReceivedMessage[]> {
  const touched = new Map<
    number,
    {
      id: number
      n: number
      unread: number
      seen: boolean
      questionAt: string | null
      last: PlacedMessage
      nth: number
    }
  >()
  const rows = placed.map((one, at) => {
    const { event, ticket, quiet } = one
    const entry = touched.get(ticket.id) ?? {
      id: ticket.id,
      n: 0,
      unread: 0,
      seen: false,
      questionAt: null,
      last: one,
      nth: 1,
    }
    entry.n++
    if (event.ref.fromMe && !event.past) {
      entry.unread = 0
      entry.seen = true
      entry.questionAt = null
    } else if (!quiet) {
      entry.unread++
      entry.questionAt ??= toWholeSecond(event.at)
    }
    if (toWholeSecond(event.at) >= toWholeSecond(entry.last.event.at)) Object.assign(entry, { last: one, nth: entry.n })
    touched.set(ticket.id, entry)
    return { place: at, nth: entry.n, ...toMessageRow(one) }
  })
  const shown = [...touched.values()].map(({ id, n, unread, seen, questionAt, last: { event }, nth }) => ({
    id,
    n,
    unread,
    seen,
    questionAt,
    nth,
    body: formatMessagePreview(event),
    kind: event.mediaType,
    mine: event.ref.fromMe,
    state: event.ref.fromMe ? 'sent' : null,
    at: toWholeSecond(event.at),
  }))
  const sql = getSql(receiving.tx)
  const stored = await sql<ReceivedMessage[]>`
    with held as (
      select id, message_seq, date_trunc('second', coalesce((select at from message where id = ticket.last_message_id), last_message_at)) as last_at
      from ticket where id = any(${[...touched.keys()]}::int[]) order by id for update),
    stored as (
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, author_jid, author_name, body, member_mentions, media_type, media, details, secret, state, read, quoted_id, quote, forward, raw)
      select x.ticket_id, x.contact_id, ${receiving.connection.id}, h.message_seq + x.nth, x.at, x.provider_id, x.chat, x.from_me, x.author_id, x.author_jid, coalesce(x.author_name, ''), x.body, x.member_mentions, x.media_type, x.media, x.details, x.secret, x.state, x.read,
        case when q.contact_id = x.contact_id then q.id end, ${storedQuoteSql(sql, sql`x.contact_id`, sql`x.quote`)}, x.forward, x.raw
      from jsonb_to_recordset(${toJsonbText(rows)}::jsonb) as x(place int, nth int, ticket_id int, contact_id int, at timestamptz, provider_id text, chat text, from_me boolean, author_id int, author_jid text,
        author_name text, body text, member_mentions jsonb, media_type text, media jsonb, details jsonb, secret text, state text, read boolean, quote jsonb, forward text, raw jsonb)
      join held h on h.id = x.ticket_id
      left join lateral (${findQuoted(sql, receiving.connection.id, sql`x.contact_id`, sql`x.quote`)}) q on true order by x.place
      on conflict (whatsapp_id, contact_id, provider_id) where provider_id is not null do nothing
      returning id, ticket_id, seq, from_me, at),
    shown as (
      update ticket t set
        message_seq = t.message_seq + x.n,
        unread_messages = case when x.seen then x.unread else t.unread_messages + x.unread end,
        answer_since = case when x.seen then x."questionAt" when x."questionAt" is null then t.answer_since else coalesce(t.answer_since, least(x."questionAt", now())) end,
        answered_at = case when x.seen then clock_timestamp() else t.answered_at end,
        last_message = case when x.is_last then x.body else t.last_message end,
        last_message_type = case when x.is_last then x.kind else t.last_message_type end,
        last_message_from_me = case when x.is_last then x.mine else t.last_message_from_me end,
        last_message_state = case when x.is_last then x.state else t.last_message_state end,
        last_message_id = case when x.is_last then x.message_id else t.last_message_id end,
        last_message_at = case when x.is_last then greatest(x.at, date_trunc('second', t.last_message_at)) else t.last_message_at end,
        pause_until = case when x.is_last and t.paused_by is null then null else t.pause_until end, updated_at = now(), version = t.version + 1
      from (
        select y.*, y.at >= h.last_at as is_last, m.id as message_id
        from jsonb_to_recordset(${toJsonbText(shown)}::jsonb) as y(id int, n int, unread int, seen boolean, "questionAt" timestamptz, nth int, body text, kind text, mine boolean, state text, at timestamptz)
        join held h on h.id = y.id left join stored m on m.ticket_id = y.id and m.seq = h.message_seq + y.nth) x
      where t.id = x.id)
    select id::float8 as "messageId", coalesce(ticket_id, 0) as "ticketId", coalesce(from_me, false) as "fromMe", extract(epoch from at)::float8 * 1000 as at from stored order by id`
  receiving.messages.push(...stored)
  return stored
}

function toMessageRow({ event, contactId, authorId, ticket, quiet }: PlacedMessage): object {
  const { ref } = event
  return {
    ticket_id: ticket.id,
    contact_id: contactId,
    at: toWholeSecond(event.at),
    provider_id: ref.id,
    chat: ref.chat,
    from_me: ref.fromMe,
    author_id: authorId ?? (ref.fromMe ? null : contactId),
    author_jid: event.author?.jid ?? null,
    author_name: ref.fromMe ? '' : cleanName(event.name),
    state: ref.fromMe ? stateOfOwn(event) : 'received',
    read: ref.fromMe || quiet,
    ...toMessageColumns(event),
  }
}

function stateOfOwn(event: InboundMessage): string {
  return event.ack === 'delivered' || event.ack === 'read' ? event.ack : 'sent'
}
