// Messages in the form of the contract, many at once, and the live events that carry them.
import {
  type Kind,
  type MediaInfo,
  type Mention,
  type Message,
  type QuotedMessage,
  splitCalledNames,
  type TicketFacts,
  type TicketReference,
  toAckNumber,
} from '@balcao/contract'
import type postgres from 'postgres'
import { toSendError } from '../../platform/channel/send-errors.ts'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent, appendEvents } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { type AccessContext, loadFacts, loadTicketPlaces } from '../../policy/access/ticket-facts.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { toGivenClientId } from '../../policy/sessions/known-sessions.ts'
import type { MessageMedia } from '../media/table.ts'
import { type KnownNames, nameRevisionSql } from '../names/known-names.ts'
import { shownWithSql } from './conversation.ts'
import type { StoredQuote, StoredReaction } from './table.ts'

/** Appends one live event per message, as it now stands in this transaction, for whoever may see its ticket. `ticketIds` as below. */
export async function publishMessageEvents(
  tx: Tx,
  messageIds: readonly number[],
  action: 'create' | 'update',
  ticketIds?: readonly number[],
  calls?: ReadonlyMap<number, readonly number[]>,
): Promise<Message[]> {
  const events = await buildMessageEvents(tx, messageIds, action, ticketIds, calls)
  await appendEvents(tx, events)
  return events.map(({ event }) => event.message)
}

/**
 * The same events, to be appended together with others. `calls`: whom a comment calls from now on, by its id. `ticketIds`: of the tickets the messages stand in, where they are known: then
 * all is read in one go.
 */
export async function buildMessageEvents(
  tx: Tx,
  messageIds: readonly number[],
  action: 'create' | 'update',
  ticketIds?: readonly number[],
  calls?: ReadonlyMap<number, readonly number[]>,
) {
  const [rows, known] = await Promise.all([loadRows(tx, messageIds), loadFacts(tx, ticketIds ?? [])])
  const facts = ticketIds ? known : await loadFacts(tx, [...new Set(rows.map(row => row.ticketId))])
  const quotes = await loadCrossQuotes(tx, rows)
  return rows.map(toMessage).map(message => {
    const quoted = quotes.get(message.id)
    const mentioned = calls?.get(message.id)
    const audience: Audience = {
      to: 'ticket',
      ticketId: message.ticketId,
      after: facts.get(message.ticketId) ?? null,
      ...(mentioned?.length ? { by: message.userId ?? undefined, mentioned } : {}),
      ...(quoted ? { quotes: quoted } : {}),
      says: [message.id, ...(message.quotedMsg?.id ? [message.quotedMsg.id] : [])],
    }
    return { event: { event: 'appMessage' as const, action, version: message.version, message }, audience }
  })
}

/** For the messages that quote one of another ticket: both tickets, so that it is told who is shown them together. */
async function loadCrossQuotes(
  tx: Tx,
  rows: readonly MessageRow[],
): Promise<Map<number, { in: TicketReference; from: TicketReference }>> {
  const across = acrossTickets(rows)
  const places = await loadTicketPlaces(tx, [...new Set(across.flatMap(({ here, from }) => [here, from]))])
  return new Map(
    across.flatMap(({ id, here, from }) => {
      const [ours, theirs] = [places.get(here), places.get(from)]
      return ours && theirs ? [[id, { in: ours, from: theirs }] as const] : []
    }),
  )
}

function acrossTickets(rows: readonly MessageRow[]): { id: number; here: number; from: number }[] {
  return rows.flatMap(({ id, ticketId: here, quotedTicketId: from }) =>
    from === null || from === here ? [] : [{ id, here, from }],
  )
}

/** Tells whoever may see the ticket that a message's row is gone (not a revoke: that is an update). */
export async function publishMessageDeletion(
  tx: Tx,
  message: { id: number; ticketId: number; version: number },
  facts: TicketFacts,
): Promise<void> {
  const { id: messageId, ticketId, version } = message
  const event = { event: 'appMessage', action: 'delete', version, messageId, ticketId } as const
  await appendEvent(tx, { to: 'ticket', ticketId, after: facts }, event)
}

/**
 * Messages in the form of the contract, in the order of the ids given: one statement however many, and one more where a message of
 * another ticket is quoted, which is seldom and would make the first one dear to plan. Unknown ids are left out. What they quote comes along if the reader is shown it in the same conversation; `null`, for the company itself, is shown everything.
 */
export async function loadMessages(
  db: Db | Tx,
  ids: readonly number[],
  reader: AccessContext | null,
): Promise<Message[]> {
  return presentMessages(db, await loadRows(db, ids), reader)
}

/** The same of rows that were read already. */
export async function presentMessages(
  db: Db | Tx,
  rows: readonly MessageRow[],
  reader: AccessContext | null,
): Promise<Message[]> {
  const hidden = reader ? await hiddenQuotes(db, rows, reader) : new Set()
  return rows.map(row => toMessage(hidden.has(row.id) ? { ...row, quoted: null } : row))
}

/** The messages that quote one which this reader is not shown in the same conversation. */
async function hiddenQuotes(db: Db | Tx, rows: readonly MessageRow[], reader: AccessContext): Promise<Set<number>> {
  const across = acrossTickets(rows)
  if (across.length === 0) return new Set()
  const sql = getSql(db)
  const shown = await sql<{ here: number; from: number }[]>`
    select this.id as here, t.id as "from"
    from unnest(${across.map(({ here }) => here)}::int[], ${across.map(({ from }) => from)}::int[]) as asked (here, quoted)
      join ticket this on this.id = asked.here join ticket t on t.id = asked.quoted
    where ${shownWithSql(sql, reader, 'this', 't')}`
  const pairs = new Set(shown.map(({ here, from }) => `${here} ${from}`))
  return new Set(across.filter(({ here, from }) => !pairs.has(`${here} ${from}`)).map(({ id }) => id))
}

async function loadRows(db: Db | Tx, ids: readonly number[]): Promise<MessageRow[]> {
  if (ids.length === 0) return []
  const sql = getSql(getPageDatabase(db))
  const rows = await sql<Omit<MessageRow, keyof NameIds>[]>`${messagesSql(sql, sql`${ids}::bigint[]`)}`
  return sortByIds(ids, rows)
}

/** What is shown of messages, by an expression that gives their ids; in no order. */
function messagesSql(sql: postgres.Sql, ids: SqlFragment): SqlFragment {
  const quotedName = sql`case when qm.from_me then coalesce(qu.name, nullif(qm.author_name, '')) else nullif(qm.author_name, '') end`
  return sql`
    select ${ownColumnsSql(sql, sql`c.name`, quotedName)}, u.name as "userName", w.api
    from message m
      join contact c on c.id = m.contact_id
      join whatsapp w on w.id = m.whatsapp_id
      left join "user" u on u.id = m.user_id
      left join message qm on qm.id = m.quoted_id
      left join "user" qu on qu.id = qm.user_id
    where m.id = any(${ids})`
}

/**
 * The same of messages of one contact, without names of people and the kinds of connections (`nameMessages` knows them). `place`: something of
 * their ticket as text, for the first row; it stands on each.
 */
export function messagePageSql(
  sql: postgres.Sql,
  contact: SqlFragment,
  ids: SqlFragment,
  place: SqlFragment = sql`null::text`,
): SqlFragment {
  const contactName = sql`coalesce((select c.name from contact c where c.id = ${contact}), '')`
  const quotedName = sql`nullif(qm.author_name, '')`
  return sql`
    select ${ownColumnsSql(sql, contactName, quotedName)}, m.whatsapp_id as "whatsappId", ${nameRevisionSql(sql)} as "nameRevision",
      case when qm.from_me then qm.user_id end as "quotedUserId", ${place} as place
    from message m left join message qm on qm.id = m.quoted_id
    where m.id = any(${ids})`
}

function ownColumnsSql(sql: postgres.Sql, contactName: SqlFragment, quotedName: SqlFragment): SqlFragment {
  return sql`m.id::float8 as id, m.ticket_id as "ticketId", m.contact_id as "contactId", m.seq, m.body, m.from_me as "fromMe", m.read,
      m.media_type as "mediaType", m.media_id as "mediaId", m.media, m.at as "createdAt", m.state, m.is_deleted as "isDeleted",
      m.is_edited as "isEdited", m.edited_msg as "editedMsg", m.forward, m.automatic, m.user_id as "userId",
      m.author_id as "authorId", m.author_name as "authorName", ${contactName} as "contactName", m.reactions, m.error_log as "errorLog",
      m.template_data as "templateData", m.details, m.system, m.transcription, m.transcription_state as "transcriptionState",
      m.client_id as "clientId", m.version::int as version, m.quote, qm.ticket_id as "quotedTicketId",
      case when m.media_type = 'comment' then (select json_agg(json_build_object('id', x.user_id, 'name', p.name, 'written', x.name) order by x.user_id)
        from message_mention x join "user" p on p.id = x.user_id where x.message_id = m.id) end as called,
      case when qm.id is not null then json_build_object('id', qm.id, 'body', qm.body, 'fromMe', qm.from_me,
        'contact', json_build_object('name', coalesce(${quotedName}, ${contactName})),
        'isEdited', qm.is_edited, 'editedMsg', qm.edited_msg, 'mediaId', qm.media_id, 'thumb', qm.media->'thumb', 'mediaType', qm.media_type, 'isDeleted', qm.is_deleted) end as quoted`
}

export type MessagePageRow = Omit<MessageRow, 'userName' | 'api'> & Required<NameIds>

/** Gives the rows of a page the names that are known. */
export function nameMessages(rows: readonly MessagePageRow[], { people, connections }: KnownNames): MessageRow[] {
  return rows.flatMap(row => {
    const { userId, quotedUserId, quoted } = row
    const api = connections.get(row.whatsappId)?.api
    const userName = userId === null ? null : (people.get(userId)?.name ?? null)
    const quotedName = quotedUserId === null ? undefined : people.get(quotedUserId)?.name
    if (quoted && quotedName !== undefined) Object.assign(quoted.contact, { name: quotedName })
    return api ? [Object.assign(row, { api, userName })] : []
  })
}

/** The address of a stored file. */
export function toMediaUrl(mediaId: string): string {
  return `/media/${mediaId}`
}

/** What of a message stands in its row as it goes out. */
type OwnColumns = Omit<
  Message,
  'mentions' | 'mediaUrl' | 'media' | 'ack' | 'quotedMsg' | 'user' | 'contact' | 'reactions' | 'ticket'
>

/** Of what is named here, in rows of a page. */
interface NameIds {
  readonly whatsappId?: number
  readonly nameRevision?: string | null
  readonly quotedUserId?: number | null
}

export interface MessageRow extends OwnColumns, NameIds {
  readonly mediaId: string | null
  readonly media: MessageMedia | null
  readonly userName: string | null
  readonly authorId: number | null
  readonly authorName: string
  readonly contactName: string
  readonly reactions: StoredReaction[]
  readonly called: readonly CalledColleague[] | null
  readonly api: Kind
  readonly quotedTicketId: number | null
  readonly quoted: QuotedRow | null
  /** What came along of a message that is answered and not here. */
  readonly quote: StoredQuote | null
}

/** `written`: the name as it stands in the comment. */
interface CalledColleague extends Mention {
  readonly written: string
}

interface QuotedRow extends Omit<QuotedMessage, 'mediaUrl' | 'thumbUrl'> {
  readonly mediaId: string | null
  readonly thumb: boolean | null
}

/** Of a deleted message nothing goes out but that it was there, whose it was and what became of it. */
const GONE = {
  body: '',
  mediaType: 'chat',
  mediaUrl: null,
  media: null,
  editedMsg: null,
  quotedMsg: null,
  details: null,
  templateData: null,
  transcription: null,
  transcriptionState: null,
  reactions: [],
} as const satisfies Partial<Message>

/** A message as a fresh fetch shows it once it was taken back. */
export function toRevokedMessage(message: Message): Message {
  const { mentions: _, ...rest } = message
  return { ...rest, ...GONE, isDeleted: true }
}

/** The same as it stands quoted in another one. */
export function toRevokedQuote(quoted: QuotedMessage): QuotedMessage {
  return { ...quoted, body: '', editedMsg: null, mediaType: 'chat', mediaUrl: null, thumbUrl: null, isDeleted: true }
}

/** Each by its name: a copy of what is left of a row takes longer than all the rest of a page here. */
function toMessage(row: MessageRow): Message {
  const { mediaId, fromMe, authorId, authorName, contactName, called, api, quoted, quote } = row
  const message: Message = {
    id: row.id,
    ticketId: row.ticketId,
    contactId: row.contactId,
    seq: row.seq,
    body: row.body,
    fromMe,
    read: row.read,
    mediaType: row.mediaType,
    mediaUrl: mediaId && toMediaUrl(mediaId),
    media: toMediaInfo(row.media, mediaId),
    createdAt: row.createdAt,
    ack: toAckNumber(api, row.state),
    state: row.state,
    isDeleted: row.isDeleted,
    isEdited: row.isEdited,
    editedMsg: row.editedMsg,
    quotedMsg: quoted ? toQuotedMessage(quoted) : quote && presentQuote(quote, contactName),
    forward: row.forward,
    userId: row.userId,
    user: presentWriter(row),
    contact: fromMe
      ? { id: row.contactId, name: contactName }
      : { id: authorId ?? row.contactId, name: authorName || contactName },
    reactions: presentReactions(row.reactions),
    errorLog: row.errorLog && { ...row.errorLog, reason: toSendError(row.errorLog.code) },
    automatic: row.automatic,
    templateData: row.templateData,
    details: row.details,
    system: row.system,
    transcription: row.transcription,
    transcriptionState: row.transcriptionState,
    clientId: toGivenClientId(row.clientId),
    ticket: { whatsapp: { api } },
    version: row.version,
  }
  if (row.isDeleted) return { ...message, ...GONE }
  if (!called) return message
  const mentions = called.map(({ id, name }) => ({ id, name }))
  return { ...message, body: renameMentions(message.body, called), mentions }
}

/** A person by the name of now, a program by the one it had. */
function presentWriter({ fromMe, userId, userName, authorName }: MessageRow): Message['user'] {
  if (userId !== null) return { id: userId, name: userName ?? '' }
  return fromMe && authorName !== '' ? { id: null, name: authorName } : null
}

/** A comment calls people by the names they have now. */
function renameMentions(body: string, called: readonly CalledColleague[]): string {
  const names = new Map(called.map(({ name, written }) => [`@${written}`, `@${name}`]))
  const pieces = splitCalledNames(
    body,
    called.map(({ written }) => written),
  )
  return pieces.map(piece => names.get(piece) ?? piece).join('')
}

function presentReactions(reactions: readonly StoredReaction[]): Message['reactions'] {
  return reactions.flatMap(({ by, fromMe, emoji, person }) =>
    emoji === '' ? [] : [{ by, fromMe, emoji, ...(person && { person }) }],
  )
}

/** What is known of a file, as its row has it, with the address of its small picture. */
export function toMediaInfo(media: MessageMedia | null, mediaId: string | null): MediaInfo | null {
  if (!media) return null
  const { thumb, ...info } = media
  return { ...info, thumbUrl: thumb && mediaId !== null ? `${toMediaUrl(mediaId)}?thumb=1` : null }
}

function toQuotedMessage({ mediaId, thumb, ...quoted }: QuotedRow): QuotedMessage {
  const url = mediaId && toMediaUrl(mediaId)
  const whole = { ...quoted, mediaUrl: url, thumbUrl: url && thumb ? `${url}?thumb=1` : null }
  return quoted.isDeleted ? toRevokedQuote(whole) : whole
}

/** A quoted message that is not here, as it came along; null where only its id did. */
function presentQuote({ fromMe, name, content }: StoredQuote, contactName: string): QuotedMessage | null {
  if (!content) return null
  const { body, mediaType, thumb } = content
  const none = { id: null, isEdited: false, editedMsg: null, mediaUrl: null, isDeleted: false } as const
  const thumbUrl = thumb ? `data:image/jpeg;base64,${thumb}` : null
  return { ...none, body, fromMe, contact: { name: name ?? contactName }, thumbUrl, mediaType }
}
