// What a person said and was told, with its files; and what of it was passed on to others.
import { releaseFiles } from '../../desk/media/claim.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { lockMessageSends } from '../../desk/messages/lock-sends.ts'
import { publishMessageDeletion, publishMessageEvents } from '../../desk/messages/present.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import type { ErasureBatch, RunningErasure } from './running.ts'

const BATCH = 300

interface Doomed {
  readonly id: number
  readonly ticketId: number
  readonly version: number
  readonly mediaId: string | null
}

/** Messages of the person's own tickets: the rows go. */
export async function deleteMessages(tx: Tx, { traces }: Pick<RunningErasure, 'traces'>): Promise<ErasureBatch> {
  const sql = getSql(tx)
  const contactIds = [...traces.contactIds]
  const found = await sql<{ id: number }[]>`
    select id::float8 as id from message where contact_id = any(${contactIds}::int[]) order by message.id limit ${BATCH}`
  const ids = toIds(found)
  if (ids.length === 0) {
    // Whose addresses these were is not kept there: all are asked again when they come up.
    await sql`delete from link_preview`
    const files = await releaseMedia(tx, await filesOfTickets(tx, contactIds))
    return { next: { step: 'pages', table: '', page: 0, pass: 1, found: 0 }, counts: { files } }
  }
  const passedOn = await findForwards(tx, ids)
  await lockMessageSends(tx, [...ids, ...passedOn])
  const gone = await sql<Doomed[]>`
    delete from message where id = any(${ids}::bigint[])
    returning id::float8 as id, ticket_id as "ticketId", version::float8 as version, media_id as "mediaId"`
  const facts = await loadFacts(tx, [...new Set(gone.map(({ ticketId }) => ticketId))])
  for (const { id, ticketId, version } of gone) {
    const seenBy = facts.get(ticketId)
    if (seenBy) await publishMessageDeletion(tx, { id, ticketId, version: version + 1 }, seenBy)
  }
  const emptied = await emptyMessages(tx, passedOn)
  const files = await releaseMedia(
    tx,
    gone.flatMap(({ mediaId }) => mediaId ?? []),
  )
  return {
    next: { step: 'messages' },
    counts: { messages: gone.length + emptied.messages, files: files + emptied.files },
  }
}

/**
 * Messages in conversations of others: they stay as deleted ones, so that what was answered still has its place. Their tickets must be
 * locked.
 */
export async function emptyMessages(tx: Tx, ids: readonly number[]): Promise<{ messages: number; files: number }> {
  if (ids.length === 0) return { messages: 0, files: 0 }
  const sql = getSql(tx)
  await forgetEvents(tx, ids)
  const before = await sql<{ mediaId: string }[]>`
    select media_id as "mediaId" from message where id = any(${[...ids]}::bigint[]) and media_id is not null`
  const emptied = await sql<{ id: number }[]>`
    update message set is_deleted = true, body = '', member_mentions = null, edited_msg = null, media_id = null, media = null, details = null, template_data = null,
      raw = null, secret = null, quote = null, error_log = null, transcription = null, author_id = null, author_jid = null, author_name = '',
      version = version + 1
    where id = any(${[...ids]}::bigint[]) returning id::float8 as id`
  const all = toIds(emptied)
  await sql`delete from message_mention where message_id = any(${all}::bigint[])`
  await sql`delete from message_member where message_id = any(${all}::bigint[])`
  await sql`delete from message_edit where message_id = any(${all}::bigint[])`
  await sql`delete from outbox where message_id = any(${all}::bigint[])`
  const files = await releaseMedia(
    tx,
    before.map(({ mediaId }) => mediaId),
  )
  await refreshLastMessage(tx, all)
  await publishMessageEvents(tx, all, 'update')
  return { messages: all.length, files }
}

/** Live events of before that show these messages in conversations of others, be it as a ticket's last words: to be told anew. */
export async function forgetEvents(tx: Tx, ids: readonly number[]): Promise<void> {
  await getSql(tx)`
    with told as (select m.ticket_id, said.words from message m cross join lateral (
        values (to_json(left(m.body, 100))::text), (to_json(coalesce(m.media->>'name', ''))::text)) as said(words)
      where m.id = any(${[...ids]}::bigint[]) and said.words <> '""')
    delete from live_event e using told
    where (e.audience->>'ticketId')::int = told.ticket_id and position(substr(told.words, 2, length(told.words) - 2) in e.payload) > 0`
}

/**
 * Copies that agents made in other conversations of what the person wrote among these, and copies of the copies: the log knows them. What the
 * company wrote is its own, wherever else it was passed on to.
 */
export async function findForwards(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await getSql(tx)<{ id: number }[]>`
    with recursive passed as (
      select l.message_id as id from message m join log_entry l on l.action = 'message.forward' and l.params->>'from' = m.id::text
      where m.id = any(${[...ids]}::bigint[]) and not m.from_me
      union select l.message_id from passed p join log_entry l on l.action = 'message.forward' and l.params->>'from' = p.id::text)
    select m.id::float8 as id from passed p join message m on m.id = p.id order by m.id`
  return toIds(rows).filter(id => !ids.includes(id))
}

async function filesOfTickets(tx: Tx, contactIds: readonly number[]): Promise<string[]> {
  const rows = await getSql(tx)<{ id: string }[]>`
    select id from media where owner in ('message', 'schedule')
      and ticket_id in (select t.id from ticket t where t.contact_id = any(${[...contactIds]}::int[]))`
  return rows.map(({ id }) => id)
}

async function releaseMedia(tx: Tx, mediaIds: readonly string[]): Promise<number> {
  const ids = [...new Set(mediaIds)]
  if (ids.length > 0) await releaseFiles(tx, ids)
  return ids.length
}
