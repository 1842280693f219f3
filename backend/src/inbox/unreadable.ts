// Messages nobody can read yet: they wait for their content, and after a while a card stands for them, so that nobody waits for an answer.
import { type ChannelEvent, UNREADABLE } from '../channels/driver.ts'
import { knownContact } from '../contacts/identity.ts'
import type { Db } from '../database/client.ts'
import { jsonbText } from '../database/json.ts'
import { sqlOf } from '../database/raw.ts'
import { messageEvents } from '../messages/present.ts'
import { previewOf } from '../messages/preview.ts'
import { ticketEvents } from '../tickets/present.ts'
import { contentOf } from './messages.ts'
import { receive } from './receive.ts'
import type { MessageEvent, Received, Receiving } from './receiving.ts'

type UnreadableEvent = Extract<ChannelEvent, { type: 'unreadable' }>

/** WhatsApp asks the sender's phone for it, which is mostly a matter of seconds. */
const PATIENCE = '2 minutes'

export function isCard(event: MessageEvent): boolean {
  return event.mediaType === 'unknown' && event.body === UNREADABLE
}

/** Lets it wait, unless its content came before. `applyWaiting` ends the wait when a message of its chat has its id. */
export async function applyUnreadable(
  receiving: Receiving,
  { card }: UnreadableEvent,
  key: string | null,
): Promise<void> {
  const { id } = receiving.connection
  const chat = await knownContact(receiving.tx, card.chat)
  await sqlOf(receiving.tx)`
    update raw_event set waits_for = ${card.ref.id} where whatsapp_id = ${id} and key = ${key ?? ''}
      and not exists (select 1 from message where whatsapp_id = ${id} and provider_id = ${card.ref.id} and contact_id = ${chat})`
}

/** Shows a card for each that has waited long enough, whoever heard of it and whatever died since. */
export async function showUnreadable(db: Db, told: (received: Received) => void): Promise<void> {
  const sql = sqlOf(db)
  const rows = await sql<{ whatsapp_id: number; key: string; payload: string }[]>`
    select whatsapp_id, key, payload from raw_event
    where waits_for is not null and key like 'u:%' and received_at < now() - ${PATIENCE}::interval order by received_at limit 500`
  for (const { whatsapp_id, key, payload } of rows) {
    const event: ChannelEvent = JSON.parse(payload)
    if (event.type === 'unreadable') told(await receive(db, { id: whatsapp_id }, [event.card]))
    await sql`update raw_event set waits_for = null where whatsapp_id = ${whatsapp_id} and key = ${key}`
  }
}

/** Content that came after its card takes the card's place. */
export async function fillCards(
  receiving: Receiving,
  late: readonly { readonly id: number; readonly event: MessageEvent }[],
): Promise<void> {
  if (late.length === 0) return
  const sql = sqlOf(receiving.tx)
  for (const { id, event } of late) {
    const { body, media_type, media, forward, quote, raw } = contentOf(event)
    await sql`
      update message set body = ${body}, media_type = ${media_type}, media = ${media && JSON.stringify(media)}::text::jsonb, forward = ${forward},
        raw = ${JSON.stringify(raw)}::text::jsonb, version = version + 1,
        quoted_id = (select q.id from message q where q.whatsapp_id = message.whatsapp_id and q.contact_id = message.contact_id and q.provider_id = ${quote})
      where id = ${id}`
    if (event.media) receiving.withMedia = true
  }
  const ids = late.map(({ id }) => id)
  await messageEvents(receiving.tx, ids, 'update')
  const words = jsonbText(late.map(({ id, event }) => ({ id, words: previewOf(event) })))
  const shown = await sql<{ id: number }[]>`
    update ticket t set last_message = x.words, last_message_type = m.media_type, version = t.version + 1
    from message m join jsonb_to_recordset(${words}::jsonb) as x(id bigint, words text) on x.id = m.id
    where t.last_message_id = m.id and not m.is_deleted returning t.id`
  await ticketEvents(
    receiving.tx,
    shown.map(({ id }) => ({ ticketId: id, action: 'update' })),
  )
}
