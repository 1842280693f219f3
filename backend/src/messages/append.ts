// Puts a message of ours at the end of a ticket: its number, its place in time, and the ticket's last line.
import type { MediaType } from '@balcao/contract'
import { sql as raw } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { previewOf } from './preview.ts'
import { messages } from './table.ts'

type Columns =
  | 'ticketId'
  | 'state'
  | 'userId'
  | 'mediaId'
  | 'media'
  | 'quotedId'
  | 'clientId'
  | 'providerId'
  | 'templateData'
  | 'forward'
  | 'automatic'
  | 'system'

/** `automatic`: the desk writes it by itself. */
export type NewRow = Pick<typeof messages.$inferInsert, Columns> & {
  readonly body: string
  readonly mediaType: MediaType
}

/**
 * Inserts a message and gives its id. Its time, in whole seconds as the provider's, is never before the ticket's last message,
 * whatever the provider's clock says. Lines about the ticket do not become its last message, nor does what the desk says by itself
 * after somebody's words. The ticket's version grows; its event is the caller's. What is to reach the customer goes by `write.ts`.
 */
export async function appendMessage(tx: Tx, row: NewRow): Promise<number> {
  const sql = sqlOf(tx)
  const [ticket] = await sql<{ seq: number; contactId: number; whatsappId: number }[]>`
    update ticket set message_seq = message_seq + 1, version = version + 1, updated_at = now()
    where id = ${row.ticketId} returning message_seq as seq, contact_id as "contactId", whatsapp_id as "whatsappId"`
  if (!ticket) throw new Error('The ticket is gone')
  const at = raw<string>`greatest(date_trunc('second', clock_timestamp()),
    (select max(at) from message where ticket_id = ${row.ticketId}))`
  const [message] = await tx
    .insert(messages)
    .values({ ...row, ...ticket, at, fromMe: true, read: true })
    .returning({ id: messages.id, at: messages.at })
  if (!message) throw new Error('The message was not stored')
  if (row.mediaType !== 'system')
    await sql`update ticket set last_message = ${previewOf(row)}, last_message_id = ${message.id}, last_message_type = ${row.mediaType},
      last_message_from_me = true, last_message_state = ${row.mediaType === 'comment' ? null : row.state},
      last_message_at = greatest(${message.at}::timestamptz, last_message_at)
      where id = ${row.ticketId} and (last_message_id is null or ${!row.automatic})`
  return message.id
}
