// What an answer quotes. Its message is mostly here; it may also come in the same batch, later, or never: then what came along stands for it.
import { MESSAGE_KINDS, truncateText } from '@balcao/contract'
import type postgres from 'postgres'
import { toIdentities } from '../../desk/contacts/names.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { StoredQuote } from '../../desk/messages/table.ts'
import { readAddress } from '../../platform/channel/addresses.ts'
import type { InboundMessage } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { InboxBatch } from './batch.ts'

/** As much of its words as anybody sees of a quote. */
const MOST_WORDS = 1000
const LARGEST_THUMB = 16 * 1024

/** What is kept of a quote until its message is found. */
export function toStoredQuote({ quote, chat }: InboundMessage): StoredQuote | null {
  if (!quote) return null
  const { id, fromMe, participant, content } = quote
  const [author] = chat.group && !fromMe && participant ? toIdentities(readAddress(participant)) : []
  if (!content) return { id, fromMe, ...(author && { author }) }
  const { mediaType, body, thumb } = content
  const words = MESSAGE_KINDS[mediaType].body === 'words' ? truncateText(body, MOST_WORDS) : ''
  const shown = { mediaType, body: words, ...(isPicture(thumb) && { thumb }) }
  return { id, fromMe, ...(author && { author }), content: shown }
}

/** Every JPEG begins so, in base64. */
function isPicture(thumb: string | undefined): thumb is string {
  return thumb?.startsWith('/9j/') === true && thumb.length <= (LARGEST_THUMB * 4) / 3
}

/**
 * The message that `quote`, a column or parameter, names on a connection: as `id` and `contact_id`, of this contact if there is one.
 * One of another contact is here, but in another conversation: nothing of it is shown.
 */
export function findQuoted(
  sql: postgres.Sql,
  whatsappId: number,
  contactId: SqlFragment,
  quote: SqlFragment,
): SqlFragment {
  return sql`
    select q.id, q.contact_id from message q where q.whatsapp_id = ${whatsappId} and q.provider_id = ${quote}->>'id'
    order by q.contact_id = ${contactId} desc limit 1`
}

/**
 * What is kept of a quote beside `q` as `findQuoted` found it: all of it, with what the desk calls its author, where the message is not
 * here; its id alone where it stands in another conversation, which may turn out to be the same person's.
 */
export function storedQuoteSql(sql: postgres.Sql, contactId: SqlFragment, quote: SqlFragment): SqlFragment {
  return sql`
    case when q.contact_id = ${contactId} then null when q.id is not null then ${quote} - 'content'
      when ${quote} ? 'author' then ${quote} || jsonb_build_object('name', coalesce((select c.name from contact_identity i
        join contact c on c.id = i.contact_id where i.kind = ${quote}->'author'->>'kind' and i.value = ${quote}->'author'->>'value'), ''))
      else ${quote} end`
}

/** An answer with the message it waited for. */
export interface QuoteLink {
  readonly id: number
  readonly quotedId: number
  readonly ticketId: number
}

/** Answers find the messages they quote. */
export async function linkQuotes({ tx }: InboxBatch, found: readonly QuoteLink[]): Promise<void> {
  if (found.length === 0) return
  const sql = getSql(tx)
  const ids = found.map(({ id }) => id)
  await sql`select 1 from ticket where id = any(${found.map(({ ticketId }) => ticketId)}::int[]) order by id for update`
  await sql`
    update message m set quoted_id = x.quoted_id, quote = null, version = m.version + 1
    from unnest(${ids}::bigint[], ${found.map(({ quotedId }) => quotedId)}::bigint[]) as x(id, quoted_id) where m.id = x.id`
  await publishMessageEvents(tx, ids, 'update')
}
