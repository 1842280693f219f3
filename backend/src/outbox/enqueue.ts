// The one way out: a message with our own id in the state `queued`, and what is to be done for it, in the caller's transaction.
import type { Kind, MediaInfo, MediaType } from '@balcao/contract'
import type { Outgoing } from '../channels/driver.ts'
import { moduleOf } from '../channels/registry.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { atTheEnd } from '../messages/order.ts'
import { messageEvents } from '../messages/present.ts'
import { previewOf } from '../messages/preview.ts'
import { ticketEvents } from '../tickets/present.ts'

export interface NewOutgoing {
  readonly ticketId: number
  /** Who sends; null for the desk itself. */
  readonly userId: number | null
  readonly payload: Outgoing
  readonly body: string
  readonly mediaType: MediaType
  readonly mediaId?: string
  readonly media?: Omit<MediaInfo, 'thumbUrl'> & { thumb?: boolean }
  readonly quotedId?: number
  readonly clientId?: string
  readonly forward?: 'true' | 'frequently'
  readonly templateData?: unknown
  /** The desk writes it by itself. */
  readonly automatic?: boolean
}

export interface Enqueued {
  readonly messageId: number
  /** The sender's `clientId` was known: nothing new was made. */
  readonly repeated: boolean
}

/** Puts a message into the conversation and the outbox, with its live events. After the commit ring `live` and `outbox`. */
export async function enqueue(tx: Tx, message: NewOutgoing): Promise<Enqueued> {
  const sql = sqlOf(tx)
  const [ticket] = await sql<{ contact_id: number; whatsapp_id: number; seq: number; api: Kind; has_words: boolean }[]>`
    update ticket t set message_seq = t.message_seq + 1, updated_at = now() from whatsapp w
    where t.id = ${message.ticketId} and w.id = t.whatsapp_id returning t.contact_id, t.whatsapp_id, t.message_seq as seq, w.api, t.last_message_id is not null as has_words`
  if (!ticket) throw new Error(`There is no ticket ${message.ticketId}`)
  if (message.clientId) {
    // Under the ticket's lock: two tries of the same sending cannot both find nothing.
    const [known] = await sql<
      { id: string }[]
    >`select id from message where ticket_id = ${message.ticketId} and client_id = ${message.clientId}`
    if (known) return { messageId: Number(known.id), repeated: true }
  }
  const providerId = moduleOf(ticket.api).newId()
  const [stored] = await sql<{ id: string; at: string }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, from_me, user_id, body, media_type, media_id, media, state, read, quoted_id, client_id, forward, template_data, automatic)
    values (${message.ticketId}, ${ticket.contact_id}, ${ticket.whatsapp_id}, ${ticket.seq}, ${atTheEnd(sql, message.ticketId)}, ${providerId}, true, ${message.userId}, ${message.body}, ${message.mediaType},
      ${message.mediaId ?? null}, ${message.media ? JSON.stringify(message.media) : null}::jsonb, 'queued', true, ${message.quotedId ?? null}, ${message.clientId ?? null}, ${message.forward ?? null},
      ${message.templateData === undefined ? null : JSON.stringify(message.templateData)}::jsonb, ${message.automatic ?? false})
    returning id, at`
  if (!stored) throw new Error('The message was not stored')
  const messageId = Number(stored.id)
  await sql`
    insert into outbox (whatsapp_id, contact_id, message_id, operation, payload)
    values (${ticket.whatsapp_id}, ${ticket.contact_id}, ${messageId}, 'message', ${JSON.stringify(message.payload)}::jsonb)`
  // What the desk says by itself does not stand in front of what somebody said.
  const words =
    message.automatic && ticket.has_words
      ? sql``
      : sql`last_message = ${previewOf(message)}, last_message_id = ${messageId}, last_message_type = ${message.mediaType}, last_message_from_me = true,
          last_message_state = 'queued', last_message_at = greatest(last_message_at, ${stored.at}::timestamptz),`
  await sql`update ticket set ${words} version = version + 1 where id = ${message.ticketId}`
  await messageEvents(tx, [messageId], 'create')
  await ticketEvents(tx, [{ ticketId: message.ticketId, action: 'update' }])
  return { messageId, repeated: false }
}

/** A plain text. */
export async function enqueueText(
  tx: Tx,
  { text, ...rest }: { ticketId: number; userId: number | null; text: string; clientId?: string; automatic?: boolean },
): Promise<Enqueued> {
  return enqueue(tx, { ...rest, body: text, mediaType: 'chat', payload: { type: 'text', text } })
}

/** Something done to a message at the provider: edit, revoke, reaction, read. It keeps its place behind what was sent before. */
export async function enqueueOperation(
  tx: Tx,
  operation: {
    whatsappId: number
    contactId: number
    messageId: number | null
    operation: 'edit' | 'revoke' | 'reaction' | 'read'
    payload: Outgoing
  },
): Promise<void> {
  await sqlOf(tx)`
    insert into outbox (whatsapp_id, contact_id, message_id, operation, payload)
    values (${operation.whatsappId}, ${operation.contactId}, ${operation.messageId}, ${operation.operation}, ${JSON.stringify(operation.payload)}::jsonb)`
}
