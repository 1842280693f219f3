// Messages nobody can read yet: they wait for their content, for a while (overdue.ts).
import { findKnownContact } from '../../desk/contacts/identity.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import { publishTicketUpdates } from '../../desk/tickets/present.ts'
import type { ChannelEvent, InboundMessage } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText, toStorableText } from '../../platform/database/storable.ts'
import type { InboxBatch, Named } from './batch.ts'
import { toMessageColumns } from './content.ts'
import { findQuoted, storedQuoteSql } from './quotes.ts'

type UnreadableEvent = Extract<ChannelEvent, { type: 'unreadable' }>

/** Lets it wait, unless its content came before. `applyWaiting` ends the wait when a message of its chat has its id. */
export async function applyUnreadable(
  receiving: InboxBatch,
  { card }: UnreadableEvent,
  key: string | null,
): Promise<void> {
  const { id } = receiving.connection
  const chat = await findKnownContact(receiving.tx, card.chat)
  await getSql(receiving.tx)`
    update raw_event set waits_for = ${card.ref.id} where whatsapp_id = ${id} and key = ${key ?? ''}
      and not exists (select 1 from message where whatsapp_id = ${id} and provider_id = ${card.ref.id} and contact_id = ${chat})`
}

/** Content that came after its card takes the card's place. */
export async function replaceCards(
  receiving: InboxBatch,
  late: readonly { readonly id: number; readonly event: Named<InboundMessage> }[],
): Promise<void> {
  if (late.length === 0) return
  const sql = getSql(receiving.tx)
  for (const { id, event } of late) {
    const { body, member_mentions, media_type, media, details, secret, forward, quote, raw } = toMessageColumns(event)
    await sql`
      update message m set body = ${toStorableText(body)}, member_mentions = ${member_mentions && toJsonbText(member_mentions)}::text::jsonb, media_type = ${media_type}, media = ${media && toJsonbText(media)}::text::jsonb,
        details = ${details && toJsonbText(details)}::text::jsonb, secret = ${secret}, forward = ${forward},
        raw = ${toJsonbText(raw)}::text::jsonb, version = version + 1,
        quoted_id = case when q.contact_id = m.contact_id then q.id end, quote = ${storedQuoteSql(sql, sql`m.contact_id`, sql`x.quote`)}
      from (select ${quote && toJsonbText(quote)}::text::jsonb as quote) x
        left join lateral (${findQuoted(sql, receiving.connection.id, sql`(select contact_id from message where id = ${id})`, sql`x.quote`)}) q on true
      where m.id = ${id}`
    if (event.media) receiving.withMedia = true
  }
  const ids = late.map(({ id }) => id)
  await publishMessageEvents(receiving.tx, ids, 'update')
  const words = toJsonbText(late.map(({ id, event }) => ({ id, words: formatMessagePreview(event) })))
  const shown = await sql<{ id: number }[]>`
    update ticket t set last_message = x.words, last_message_type = m.media_type, version = t.version + 1
    from message m join jsonb_to_recordset(${words}::jsonb) as x(id bigint, words text) on x.id = m.id
    where t.last_message_id = m.id and not m.is_deleted returning t.id`
  await publishTicketUpdates(receiving.tx, shown)
}
