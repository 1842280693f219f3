// A photo or film in the better quality comes twice: small first, then again. It is one message; the better file takes the place of the small one.
import { findKnownContact } from '../../desk/contacts/identity.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import type { InboundMessage } from '../../platform/channel/driver.ts'
import { UNREADABLE } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import type { InboxBatch, Named } from './batch.ts'
import { toMessageColumns } from './content.ts'
import { resolveMentionNames } from './mentions.ts'

/** Puts better files in their places; gives back what is a message by itself, because the small one never came. */
export async function applyBetterFiles(
  receiving: InboxBatch,
  events: readonly InboundMessage[],
): Promise<InboundMessage[]> {
  const others: InboundMessage[] = []
  for (const event of events) {
    const other = event.betterOf === undefined ? event : await applyBetter(receiving, event, event.betterOf)
    if (other) others.push(other)
  }
  return others
}

interface Small {
  readonly id: number
  readonly ticket_id: number
  readonly from_me: boolean
  readonly media_type: string
  readonly is_deleted: boolean
  readonly is_card: boolean
  readonly author_jid: string | null
  readonly author_id: number | null
  /** The id of the better file that took its place. */
  readonly better: string | null
}

async function applyBetter(receiving: InboxBatch, event: InboundMessage, of: string): Promise<InboundMessage | null> {
  const { tx, connection } = receiving
  const sql = getSql(tx)
  const [small] = await sql<Small[]>`
    select m.id::float8 as id, m.ticket_id, m.from_me, m.media_type, m.is_deleted, m.media_type = 'unknown' and m.body = ${UNREADABLE} as is_card,
      m.author_jid, coalesce(a.merged_into, a.id) as author_id, m.raw->>'better' as better
    from message m left join contact a on a.id = m.author_id
    where m.whatsapp_id = ${connection.id} and m.provider_id = ${of} and m.contact_id = ${await findKnownContact(tx, event.chat)}`
  // Under the small one's id: should that one still come, it is known.
  if (!small || small.is_card) return { ...event, ref: { ...event.ref, id: of } }
  if (!(await isTheirs(receiving, small, event))) return event
  if (small.is_deleted || small.better === event.ref.id) return null
  // There is one better file: what comes after it is said anew, and what was shown stays.
  if (small.better !== null) return event
  const [named = event] = await resolveMentionNames<Named<InboundMessage>>(receiving, [event])
  const { body, member_mentions, media, raw } = toMessageColumns(named)
  const mentions = member_mentions && toJsonbText(member_mentions)
  await sql`select 1 from ticket where id = ${small.ticket_id} for update`
  await sql`
    update message set media = ${toJsonbText(media)}::text::jsonb, media_id = null, version = version + 1,
      body = case when body = '' and not is_edited then ${body} else body end,
      member_mentions = case when body = '' and not is_edited then ${mentions}::text::jsonb else member_mentions end,
      raw = ${toJsonbText({ ...raw, better: event.ref.id })}::text::jsonb || case when media_id is null then '{}' else
        jsonb_build_object('before', jsonb_build_object('media', media, 'mediaId', media_id)) end
    where id = ${small.id}`
  await publishMessageEvents(tx, [small.id], 'update')
  await refreshLastMessage(tx, [small.id])
  receiving.withMedia = true
  return null
}

/** Nobody changes another's file, nor makes one of words. */
async function isTheirs({ tx }: InboxBatch, small: Small, event: InboundMessage): Promise<boolean> {
  const { chat, author, ref, mediaType } = event
  if (small.from_me !== ref.fromMe || small.media_type !== mediaType) return false
  if (!chat.group || ref.fromMe) return true
  if (!author) return false
  return small.author_jid === author.jid || small.author_id === (await findKnownContact(tx, author))
}
