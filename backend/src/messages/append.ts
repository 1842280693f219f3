// Puts a message of ours at the end of a ticket: its number, its place in time, and the ticket's last line.
import type { MediaInfo, MediaType, MessageState } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { atTheEnd } from './order.ts'
import { previewOf } from './preview.ts'

export interface NewRow {
  readonly ticketId: number
  readonly body: string
  readonly mediaType: MediaType
  readonly state: MessageState
  readonly userId: number | null
  readonly mediaId?: string | null
  readonly media?: (Omit<MediaInfo, 'thumbUrl'> & { thumb?: boolean }) | null
  readonly quotedId?: number | null
  readonly clientId?: string | null
  readonly providerId?: string | null
  readonly templateData?: unknown
  readonly forward?: 'true' | 'frequently' | null
  /** The desk writes it by itself. */
  readonly automatic?: boolean
  readonly system?: { readonly code: string; readonly params: Readonly<Record<string, string>> }
}

/**
 * Inserts a message and gives its id. Its time is never before the ticket's last message, whatever the provider's clock says.
 * Lines about the ticket do not become its last message, nor does what the desk says by itself after somebody's words. The ticket's
 * version grows; its event is the caller's.
 */
export async function appendMessage(tx: Tx, row: NewRow): Promise<number> {
  const sql = sqlOf(tx)
  const isSystem = row.mediaType === 'system'
  const [ticket] = await sql<{ message_seq: number; contact_id: number; whatsapp_id: number }[]>`
    update ticket set message_seq = message_seq + 1, version = version + 1, updated_at = now()
    where id = ${row.ticketId} returning message_seq, contact_id, whatsapp_id`
  if (!ticket) throw new Error('The ticket is gone')
  const [message] = await sql<{ id: string; at: string }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, body, media_type, media_id, media,
      state, read, quoted_id, client_id, provider_id, template_data, system, forward, automatic)
    values (${row.ticketId}, ${ticket.contact_id}, ${ticket.whatsapp_id}, ${ticket.message_seq},
      ${atTheEnd(sql, row.ticketId)},
      true, ${row.userId}, ${row.body}, ${row.mediaType}, ${row.mediaId ?? null}, ${jsonOf(row.media)}::text::jsonb,
      ${row.state}, true, ${row.quotedId ?? null}, ${row.clientId ?? null}, ${row.providerId ?? null},
      ${jsonOf(row.templateData)}::text::jsonb, ${jsonOf(row.system)}::text::jsonb, ${row.forward ?? null},
      ${row.automatic ?? false})
    returning id, at`
  if (!message) throw new Error('The message was not stored')
  if (!isSystem) {
    await sql`update ticket set last_message = ${previewOf(row)}, last_message_id = ${message.id}, last_message_type = ${row.mediaType},
      last_message_from_me = true, last_message_state = ${row.mediaType === 'comment' ? null : row.state},
      last_message_at = greatest(${message.at}::timestamptz, last_message_at)
      where id = ${row.ticketId} and (last_message_id is null or ${!row.automatic})`
  }
  return Number(message.id)
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}
