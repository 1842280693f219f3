// Messages of the other desk, in the tickets that came. Each has a `clientId` made of where it comes from, so none comes twice; what the
// phone itself has brought meanwhile is known by the provider's id.
import { NOBODY } from '../../desk/contacts/table.ts'
import { formatMessagePreview } from '../../desk/messages/preview.ts'
import { publishTicketUpdates } from '../../desk/tickets/present.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { findLinks, storeLinks } from './links.ts'
import type { FileRecord, MessageRecord } from './records.ts'
import { moveInFiles } from './table.ts'
import { createStep, type MoveInWriting, type StagedEntry } from './writing.ts'

interface OwnTicket {
  readonly key: string
  readonly id: number
  readonly contactId: number
  readonly whatsappId: number
  readonly seq: number
  readonly isGroup: boolean
  readonly createdAt: string
  /** Whether it came with this move. */
  readonly isOfMove: boolean
  /** Milliseconds; null: it shows no message yet. */
  readonly lastAt: number | null
}

interface PlacedMessage {
  readonly ticket: OwnTicket
  readonly record: MessageRecord
  readonly clientId: string
  readonly at: string
  readonly seq: number
}

export const messageStep = createStep('message', async (tx, writing, rows) => {
  const tickets = await lockTickets(tx, writing, rows)
  const entries = (await addAttachments(tx, writing, rows)).filter(({ ticket }) => tickets.has(ticket))
  const known = await findKnown(tx, writing, tickets, entries)
  const seqs = new Map<string, number>()
  const placed = entries.flatMap((record): PlacedMessage[] => {
    const ticket = tickets.get(record.ticket)
    const clientId = toClientId(writing, record.id)
    if (!ticket || known.has(`${ticket.id} ${clientId}`)) return []
    const nth = (seqs.get(ticket.key) ?? 0) + 1
    seqs.set(ticket.key, nth)
    // Without fractions, as the provider says times.
    const at = `${(record.at ?? ticket.createdAt).slice(0, 19)}Z`
    return [{ ticket, record, clientId, at, seq: ticket.seq + nth }]
  })
  placed.sort((one, other) => one.ticket.id - other.ticket.id || one.seq - other.seq)
  if (placed.length === 0) return { message: 0, fileNamed: 0 }
  const stored = await insertMessages(tx, writing, placed)
  await linkQuotes(tx, writing, placed, stored)
  await linkAdditions(tx, writing, placed, stored)
  await showLast(tx, placed, stored)
  return { message: stored.size, fileNamed: await noteFiles(tx, writing, placed, stored) }
})

function toClientId({ origin }: Pick<MoveInWriting, 'origin'>, id: string): string {
  return `${origin}:${id}`
}

/** Those that are here, by their keys; what an erased person wrote does not come again. */
async function lockTickets(
  tx: Tx,
  { id, origin }: MoveInWriting,
  rows: readonly StagedEntry<'message'>[],
): Promise<ReadonlyMap<string, OwnTicket>> {
  const keys = [...new Set(rows.map(({ record }) => record.ticket))]
  const found = await getSql(tx)<OwnTicket[]>`
    select l.key, t.id, t.contact_id as "contactId", t.whatsapp_id as "whatsappId", t.message_seq as seq, t.is_group as "isGroup",
      to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as "createdAt",
      l.move_in_id = ${id} as "isOfMove",
      case when t.last_message_id is not null then extract(epoch from t.last_message_at)::float8 * 1000 end as "lastAt"
    from move_in_link l join ticket t on t.id = l.own_id
    where l.origin = ${origin} and l.kind = 'ticket' and l.key = any(${keys}::text[]) order by t.id for no key update of t`
  // Behind the locks: an erasure that was under way has its end now, or begins behind this batch and takes that, too.
  const erased = await getSql(tx)<{ id: number }[]>`
    select id from contact where id = any(${found.map(({ contactId }) => contactId)}::int[]) and merged_into = ${NOBODY} order by id`
  const nobodies = new Set(toIds(erased))
  return new Map(found.filter(({ contactId }) => !nobodies.has(contactId)).map(ticket => [ticket.key, ticket]))
}

/** Files that stand in a table of their own: the first belongs to its message, each other one is a message behind it. */
async function addAttachments(
  tx: Tx,
  { id }: MoveInWriting,
  rows: readonly StagedEntry<'message'>[],
): Promise<MessageRecord[]> {
  const found = await getSql(tx)<
    { message: string | null; record: { mediaType: MessageRecord['mediaType']; file: FileRecord } | null }[]
  >`
    select w.id as message, coalesce(jsonb_set(a.record, '{file}', a.record->'file' || b.record), a.record) as record
    from unnest(${rows.map(({ record }) => record.id)}::text[]) as w(id)
      join move_in_row a on a.move_in_id = ${id} and a.kind = 'attachment' and a.key > w.id || ':' and a.key < w.id || ';'
      left join move_in_row u on u.move_in_id = ${id} and u.kind = 'blobUse' and u.key = split_part(a.key, ':', 2)
      left join move_in_row b on b.move_in_id = ${id} and b.kind = 'blob' and b.key = u.record->>'blob'
    order by a.key`
  const attachments = found.flatMap(({ message, record }) => (message && record ? [{ message, record }] : []))
  const files = Map.groupBy(attachments, ({ message }) => message)
  return rows.flatMap(({ record }) => {
    const [first, ...others] = files.get(record.id) ?? []
    if (!first) return [record]
    const behind = others.map(({ record: { mediaType, file } }, n) => ({
      ...{ ...record, id: `${record.id}/${n + 1}`, providerId: null, body: '', quoted: null },
      ...{ mediaType, file },
    }))
    return [{ ...record, ...pickFile(record, first.record) }, ...behind]
  })
}

/** A comment stays one, whatever was put to it. */
function pickFile(
  { mediaType }: MessageRecord,
  attachment: { readonly mediaType: MessageRecord['mediaType']; readonly file: FileRecord },
): Pick<MessageRecord, 'mediaType' | 'file'> {
  return { file: attachment.file, mediaType: mediaType === 'comment' ? mediaType : attachment.mediaType }
}

async function findKnown(
  tx: Tx,
  writing: MoveInWriting,
  tickets: ReadonlyMap<string, OwnTicket>,
  entries: readonly MessageRecord[],
): Promise<ReadonlySet<string>> {
  const rows = await getSql(tx)<{ ticketId: number; clientId: string }[]>`
    select ticket_id as "ticketId", coalesce(client_id, '') as "clientId" from message
    where ticket_id = any(${[...tickets.values()].map(({ id }) => id)}::int[])
      and client_id = any(${entries.map(({ id }) => toClientId(writing, id))}::text[])`
  return new Set(rows.map(({ ticketId, clientId }) => `${ticketId} ${clientId}`))
}

/** The new ids by ticket and `clientId`. */
async function insertMessages(
  tx: Tx,
  writing: MoveInWriting,
  placed: readonly PlacedMessage[],
): Promise<ReadonlyMap<string, number>> {
  const users = await findLinks(
    tx,
    writing,
    'user',
    placed.map(({ record }) => record.user),
  )
  const authors = await findLinks(
    tx,
    writing,
    'contact',
    placed.map(({ record, ticket }) => (ticket.isGroup ? record.author : null)),
  )
  const ids = toIds(
    await getSql(tx)<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('message', 'id'))::float8 as id from generate_series(1, ${placed.length}::int)`,
  )
  const coming = new Map(placed.map(({ ticket, clientId }, at) => [`${ticket.id} ${clientId}`, ids[at]]))
  const rows = placed.map(({ ticket, record, clientId, at, seq }, n) => ({
    id: ids[n],
    // Named at once where it comes along: a row that is changed after it was written is written into all indexes again.
    quoted_id: record.quoted === null ? null : coming.get(`${ticket.id} ${toClientId(writing, record.quoted)}`),
    ...{
      ticket_id: ticket.id,
      contact_id: ticket.contactId,
      whatsapp_id: ticket.whatsappId,
      client_id: clientId,
      at,
      seq,
    },
    ...{ provider_id: record.providerId, chat: record.chat, from_me: record.fromMe, state: record.state },
    author_id: record.fromMe ? null : ticket.isGroup ? (authors.get(record.author ?? '') ?? null) : ticket.contactId,
    user_id: users.get(record.user ?? '') ?? null,
    ...{
      body: record.body,
      media_type: record.mediaType,
      media: record.file && toMedia(record.file, record.mediaType),
    },
    ...{ is_deleted: record.isDeleted, is_edited: record.isEdited },
  }))
  const stored = await getSql(tx)<{ id: number; ticketId: number; clientId: string }[]>`
    insert into message (id, quoted_id, ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, author_name, user_id, body,
      media_type, media, state, read, is_deleted, is_edited, client_id)
      overriding system value
    select x.id, x.quoted_id, x.ticket_id, x.contact_id, x.whatsapp_id, x.seq, x.at, x.provider_id, x.chat, x.from_me, x.author_id,
      case when x.author_id is distinct from x.contact_id then coalesce(c.name, '') else '' end, x.user_id, x.body, x.media_type, x.media,
      x.state, true, x.is_deleted, x.is_edited, x.client_id
    from jsonb_to_recordset(${toJsonbText(rows)}::jsonb) as x(id int8, quoted_id int8, ticket_id int, contact_id int, whatsapp_id int, seq int, at timestamptz,
      provider_id text, chat text, from_me boolean, author_id int, user_id int, body text, media_type text, media jsonb, state text, is_deleted boolean, is_edited boolean, client_id text)
      left join contact c on c.id = x.author_id order by x.ticket_id, x.seq
    on conflict do nothing
    returning id::float8 as id, ticket_id as "ticketId", coalesce(client_id, '') as "clientId"`
  return new Map(stored.map(({ id, ticketId, clientId }) => [`${ticketId} ${clientId}`, id]))
}

/** What comes to a ticket of an earlier move goes by itself when this one is undone. */
async function linkAdditions(
  tx: Tx,
  writing: MoveInWriting,
  placed: readonly PlacedMessage[],
  stored: ReadonlyMap<string, number>,
): Promise<void> {
  const links = placed.flatMap(({ ticket, record, clientId }) => {
    const ownId = ticket.isOfMove ? undefined : stored.get(`${ticket.id} ${clientId}`)
    return ownId === undefined ? [] : [{ key: record.id, ownId, isNew: true }]
  })
  await storeLinks(tx, writing, 'message', links)
}

/** Files are fetched behind all texts. */
async function noteFiles(
  tx: Tx,
  { id: moveInId }: MoveInWriting,
  placed: readonly PlacedMessage[],
  stored: ReadonlyMap<string, number>,
): Promise<number> {
  const rows = placed.flatMap(({ ticket, record: { file }, clientId }) => {
    const messageId = stored.get(`${ticket.id} ${clientId}`)
    return file && messageId !== undefined ? [{ messageId, moveInId, path: file.path }] : []
  })
  if (rows.length > 0) await tx.insert(moveInFiles).values(rows).onConflictDoNothing()
  return rows.length
}

/** Known by its name; its bytes are not here. */
function toMedia({ name, mime }: FileRecord, mediaType: string): object {
  const unknown = { size: null, seconds: null, width: null, height: null, waveform: null }
  return { state: 'failed', name, mime, ...unknown, voice: mediaType === 'audio', error: 'ERR_NO_FILE_FOUND' }
}

/**
 * What is answered and did not come with the same batch and ticket: looked for in the ticket first, then in all of the contact, then among what
 * the phone itself has brought, by the provider's id.
 */
async function linkQuotes(
  tx: Tx,
  writing: MoveInWriting,
  placed: readonly PlacedMessage[],
  stored: ReadonlyMap<string, number>,
): Promise<void> {
  const quoting = placed.flatMap(({ ticket, record, clientId }) => {
    const id = stored.get(`${ticket.id} ${clientId}`)
    if (id === undefined || record.quoted === null) return []
    const quoted = toClientId(writing, record.quoted)
    if (stored.has(`${ticket.id} ${quoted}`)) return []
    const { id: ticketId, contactId, whatsappId } = ticket
    return [{ id, ticketId, contactId, whatsappId, key: ticket.key, quoted: record.quoted, clientId: quoted }]
  })
  if (quoting.length === 0) return
  await getSql(tx)`
    update message m set quoted_id = coalesce(
      (select q.id from message q where q.ticket_id = x."ticketId" and q.client_id = x."clientId"),
      (select min(q.id) from ticket t join message q on q.ticket_id = t.id and q.client_id = x."clientId" where t.contact_id = x."contactId"),
      (select q.id from message q where q.whatsapp_id = x."whatsappId" and q.contact_id = x."contactId" and q.provider_id = coalesce(
        (select w.record->>'providerId' from move_in_row w where w.move_in_id = ${writing.id} and w.kind = 'message'
          and w.key > x.key || ':' and w.key < x.key || ';' and w.record->>'id' = x.quoted order by w.key limit 1), x.quoted)))
    from jsonb_to_recordset(${JSON.stringify(quoting)}::text::jsonb)
      as x(id int8, "ticketId" int, "contactId" int, "whatsappId" int, key text, quoted text, "clientId" text)
    where m.id = x.id`
}

/**
 * What the list shows of each ticket: what came where nothing in it is newer. What is unread of it stays so. The version of a closed one stays:
 * by that one knows whether somebody has worked on it since. Who looks at one that lives again is told.
 */
async function showLast(tx: Tx, placed: readonly PlacedMessage[], stored: ReadonlyMap<string, number>): Promise<void> {
  const byTicket = Map.groupBy(placed, ({ ticket }) => ticket.id)
  const rows = [...byTicket].flatMap(([id, messages]) => {
    const last = messages.findLast(({ clientId }) => stored.has(`${id} ${clientId}`))
    if (!last) return []
    const { record, at, ticket } = last
    const body = record.isDeleted ? '' : formatMessagePreview({ ...record, media: record.file })
    const isOurs = record.fromMe && record.mediaType !== 'comment'
    return [
      {
        last: ticket.lastAt === null || Date.parse(at) >= ticket.lastAt,
        ...{ id, at, body, kind: record.mediaType, mine: record.fromMe, state: isOurs ? record.state : null },
        ...{ messageId: stored.get(`${id} ${last.clientId}`), seq: Math.max(...messages.map(message => message.seq)) },
      },
    ]
  })
  const sql = getSql(tx)
  const changed = await sql<{ id: number; lives: boolean }[]>`
    update ticket t set message_seq = greatest(t.message_seq, x.seq),
      read_seq = case when t.read_seq = t.message_seq then greatest(t.read_seq, x.seq) else t.read_seq end,
      version = t.version + (t.status <> 'closed')::int,
      last_message = case when x.last then x.body else t.last_message end,
      last_message_type = case when x.last then x.kind else t.last_message_type end,
      last_message_from_me = case when x.last then x.mine else t.last_message_from_me end,
      last_message_state = case when x.last then x.state else t.last_message_state end,
      last_message_id = case when x.last then x."messageId" else t.last_message_id end,
      last_message_at = case when x.last then x.at else t.last_message_at end
    from jsonb_to_recordset(${toJsonbText(rows)}::jsonb)
      as x(id int, at timestamptz, body text, kind text, mine boolean, state text, "messageId" int8, seq int, last boolean)
    where t.id = x.id returning t.id, t.status <> 'closed' as lives`
  await publishTicketUpdates(
    tx,
    changed.filter(({ lives }) => lives),
  )
}
