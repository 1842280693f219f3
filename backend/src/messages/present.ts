// Messages in the form of the contract, many at once, and the live events that carry them.
import {
  ackNumber,
  type ErrorLog,
  type Kind,
  type LiveEvent,
  type MediaInfo,
  type MediaType,
  type Message,
  type MessageState,
  type QuotedMessage,
  type TicketFacts,
  type TicketPlace,
} from '@balcao/contract'
import { loadFacts, loadPlaces, type Reader } from '../access/ticket-facts.ts'
import { sendErrorOf } from '../channels/send-errors.ts'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, sqlOf } from '../database/raw.ts'
import { appendEvents } from '../live/append.ts'
import type { Audience } from '../live/table.ts'
import { shownWith } from './conversation.ts'
import type { StoredReaction } from './table.ts'

/** Appends one live event per message, as it now stands in this transaction, for whoever may see its ticket. */
export async function messageEvents(
  tx: Tx,
  messageIds: readonly number[],
  action: 'create' | 'update',
): Promise<Message[]> {
  const rows = await loadRows(tx, messageIds, null)
  const messages = rows.map(messageOf)
  const facts = await loadFacts(tx, [...new Set(messages.map(message => message.ticketId))])
  const quotes = await quotesOf(tx, rows)
  const events: { event: LiveEvent; audience: Audience }[] = messages.map(message => {
    const quoted = quotes.get(message.id)
    return {
      event: { event: 'appMessage', action, version: message.version, message },
      audience: {
        to: 'ticket',
        ticketId: message.ticketId,
        after: facts.get(message.ticketId) ?? null,
        ...(quoted ? { quotes: quoted } : {}),
      },
    }
  })
  await appendEvents(tx, events)
  return messages
}

/** For the messages that quote one of another ticket: both tickets, so that it is told who is shown them together. */
async function quotesOf(
  tx: Tx,
  rows: readonly MessageRow[],
): Promise<Map<number, { in: TicketPlace; from: TicketPlace }>> {
  const across = rows.flatMap(({ id, ticket_id: here, quoted_ticket_id: from }) =>
    from === null || from === here ? [] : [{ id: Number(id), here, from }],
  )
  const places = await loadPlaces(tx, [...new Set(across.flatMap(({ here, from }) => [here, from]))])
  return new Map(
    across.flatMap(({ id, here, from }) => {
      const [ours, theirs] = [places.get(here), places.get(from)]
      return ours && theirs ? [[id, { in: ours, from: theirs }] as const] : []
    }),
  )
}

/** Tells whoever may see the ticket that a message's row is gone (not a revoke: that is an update). */
export async function messageDeleted(
  tx: Tx,
  message: { id: number; ticketId: number; version: number },
  facts: TicketFacts,
): Promise<void> {
  const { id: messageId, ticketId, version } = message
  await appendEvents(tx, [
    {
      event: { event: 'appMessage', action: 'delete', version, messageId, ticketId },
      audience: { to: 'ticket', ticketId, after: facts },
    },
  ])
}

/**
 * Messages in the form of the contract, in the order of the ids given: one statement however many. Unknown ids are left out. What
 * they quote comes along if the reader is shown it in the same conversation; `null`, for the company itself, is shown everything.
 */
export async function loadMessages(db: Db | Tx, ids: readonly number[], reader: Reader | null): Promise<Message[]> {
  return (await loadRows(db, ids, reader)).map(messageOf)
}

async function loadRows(db: Db | Tx, ids: readonly number[], reader: Reader | null): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const sql = sqlOf(db)
  const quotable = reader
    ? sql`and (qm.ticket_id = m.ticket_id or exists (select 1 from ticket this, ticket t
        where this.id = m.ticket_id and t.id = qm.ticket_id and ${shownWith(sql, reader, 'this', 't')}))`
    : sql``
  const rows = await sql<MessageRow[]>`
    select m.id, m.ticket_id, m.contact_id, m.seq, m.body, m.from_me, m.read, m.media_type, m.media_id, m.media, m.at,
      m.state, m.is_deleted, m.is_edited, m.edited_msg, m.forward, m.automatic, m.user_id, u.name as user_name,
      m.author_id, m.author_name, c.name as contact_name, m.reactions, m.error_log, m.template_data, m.system,
      m.transcription, m.transcription_state, m.client_id, w.api, m.version,
      qm.id as quoted_id, qm.ticket_id as quoted_ticket_id, qm.body as quoted_body, qm.from_me as quoted_from_me, qm.is_edited as quoted_is_edited,
      qm.edited_msg as quoted_edited_msg, qm.media_id as quoted_media_id, qm.media_type as quoted_media_type,
      coalesce(case when qm.from_me then qu.name else nullif(qm.author_name, '') end, c.name) as quoted_name
    from message m
      join contact c on c.id = m.contact_id
      join whatsapp w on w.id = m.whatsapp_id
      left join "user" u on u.id = m.user_id
      left join message qm on qm.id = m.quoted_id ${quotable}
      left join "user" qu on qu.id = qm.user_id
    where m.id = any(${ids}::bigint[])`
  const byId = new Map(rows.map(row => [Number(row.id), row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** The address of a stored file. */
export function mediaUrl(mediaId: string): string {
  return `/media/${mediaId}`
}

interface MessageRow {
  id: string
  ticket_id: number
  contact_id: number
  seq: number
  body: string
  from_me: boolean
  read: boolean
  media_type: MediaType
  media_id: string | null
  media: (Omit<MediaInfo, 'thumbUrl'> & { thumb?: boolean }) | null
  at: string
  state: MessageState
  is_deleted: boolean
  is_edited: boolean
  edited_msg: string | null
  forward: 'true' | 'frequently' | null
  automatic: boolean
  user_id: number | null
  user_name: string | null
  author_id: number | null
  author_name: string
  contact_name: string
  reactions: StoredReaction[]
  error_log: ErrorLog | null
  template_data: unknown
  system: { code: string; params: Record<string, string> } | null
  transcription: string | null
  transcription_state: 'pending' | 'failed' | null
  client_id: string | null
  api: Kind
  version: string
  quoted_id: string | null
  quoted_ticket_id: number | null
  quoted_body: string | null
  quoted_from_me: boolean | null
  quoted_is_edited: boolean | null
  quoted_edited_msg: string | null
  quoted_media_id: string | null
  quoted_media_type: MediaType | null
  quoted_name: string
}

function messageOf(row: MessageRow): Message {
  return {
    id: Number(row.id),
    ticketId: row.ticket_id,
    contactId: row.contact_id,
    seq: row.seq,
    body: row.body,
    fromMe: row.from_me,
    read: row.read,
    mediaType: row.media_type,
    mediaUrl: row.media_id === null ? null : mediaUrl(row.media_id),
    media: mediaOf(row),
    createdAt: isoOf(row.at),
    ack: ackNumber(row.api, row.state),
    state: row.state,
    isDeleted: row.is_deleted,
    isEdited: row.is_edited,
    editedMsg: row.edited_msg,
    quotedMsg: quotedOf(row),
    forward: row.forward,
    automatic: row.automatic,
    userId: row.user_id,
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
    contact: row.from_me
      ? { id: row.contact_id, name: row.contact_name }
      : { id: row.author_id ?? row.contact_id, name: row.author_name || row.contact_name },
    reactions: row.reactions.map(({ by, fromMe, emoji, person }) => ({ by, fromMe, emoji, ...(person && { person }) })),
    errorLog: row.error_log && { ...row.error_log, reason: sendErrorOf(row.error_log.code) },
    templateData: row.template_data ?? null,
    system: row.system,
    transcription: row.transcription,
    transcriptionState: row.transcription_state,
    clientId: row.client_id,
    ticket: { whatsapp: { api: row.api } },
    version: Number(row.version),
  }
}

function mediaOf({ media, media_id }: MessageRow): MediaInfo | null {
  if (!media) return null
  const { thumb, ...info } = media
  return { ...info, thumbUrl: thumb && media_id !== null ? `${mediaUrl(media_id)}?thumb=1` : null }
}

function quotedOf(row: MessageRow): QuotedMessage | null {
  if (row.quoted_id === null) return null
  return {
    id: Number(row.quoted_id),
    body: row.quoted_body ?? '',
    fromMe: row.quoted_from_me ?? false,
    contact: { name: row.quoted_name },
    isEdited: row.quoted_is_edited ?? false,
    editedMsg: row.quoted_edited_msg,
    mediaUrl: row.quoted_media_id === null ? null : mediaUrl(row.quoted_media_id),
    mediaType: row.quoted_media_type ?? 'chat',
  }
}
