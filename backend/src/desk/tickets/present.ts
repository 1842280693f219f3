// Tickets in the form of the contract, many at once, and the live events that carry them.
import type { ConnectionStatus, Kind, Profile, Tag, Ticket, TicketFacts } from '@balcao/contract'
import type postgres from 'postgres'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent, appendEvents } from '../../platform/live/append.ts'
import type { Audience, Handover } from '../../platform/live/table.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { windowEndSql } from '../connections/window.ts'
import { formatMessagePreview } from '../messages/preview.ts'

/** A ticket as it goes out, with the facts that decide who may see it. */
export interface TicketView {
  readonly ticket: Ticket
  readonly facts: TicketFacts
  /** The message that its last words are of. */
  readonly saidIn: number | null
}

/** What happened to a ticket. `before`: its facts before the change, needed where somebody may have lost sight of it. */
export interface TicketChange {
  readonly ticketId: number
  readonly action: 'create' | 'update' | 'updateUnread'
  readonly before?: TicketFacts | undefined
  /** Who made the change, if a person did: nobody is told of what they did themselves. */
  readonly by?: number
  /** It was given to somebody: by whom, and with which words. */
  readonly handed?: Handover
}

/** Appends one live event per changed ticket, as it now stands in this transaction (spec 1 §4, "Live events"). */
export async function publishTicketEvents(tx: Tx, changes: readonly TicketChange[]): Promise<void> {
  await appendEvents(tx, await buildTicketEvents(tx, changes))
}

/** The same events, to be appended together with others. */
export async function buildTicketEvents(tx: Tx, changes: readonly TicketChange[]) {
  const ids = changes.map(change => change.ticketId)
  const views = await loadTickets(tx, ids)
  return changes.flatMap(({ ticketId, action, before, by, handed }) => {
    const view = views.get(ticketId)
    if (!view) return []
    const { ticket, facts: after, saidIn } = view
    const says = saidIn === null ? {} : { says: [saidIn] }
    const audience: Audience = {
      to: 'ticket',
      ticketId,
      after,
      ...(before ? { before } : {}),
      ...(by === undefined ? {} : { by }),
      ...(handed ? { handed } : {}),
      ...says,
    }
    const event = { event: 'ticket' as const, action, version: ticket.version, ticket }
    return [
      { event, audience },
      ...botTold({ action, before }, ticket, { to: 'ticket', ticketId, after, ...(before && { before }), ...says }),
    ]
  })
}

/** What those are told besides who show the tickets of the bot (spec 1 §4, `ticketBot`). */
function botTold({ action, before }: Pick<TicketChange, 'action' | 'before'>, ticket: Ticket, audience: Audience) {
  const { id: ticketId, version } = ticket
  const about = { event: 'ticketBot' as const, version }
  if (ticket.status === 'bot') {
    const came = action === 'create' || (before !== undefined && before.status !== 'bot')
    return [{ event: { ...about, action: came ? ('create' as const) : ('update' as const), ticket }, audience }]
  }
  return before?.status === 'bot' ? [{ event: { ...about, action: 'reload' as const, ticketId }, audience }] : []
}

/** The same for tickets that only changed. */
export function publishTicketUpdates(tx: Tx, changed: readonly { readonly id: number }[]): Promise<void> {
  return publishTicketEvents(
    tx,
    changed.map(({ id }) => ({ ticketId: id, action: 'update' })),
  )
}

/** Tells everybody who could see a ticket that it is deleted. */
export async function publishTicketDeletion(
  tx: Tx,
  ticketId: number,
  version: number,
  before: TicketFacts,
): Promise<void> {
  const event = { event: 'ticket', action: 'delete', version, ticketId, reason: 'deleted' } as const
  const audience: Audience = { to: 'ticket', ticketId, after: null, before }
  await appendEvent(tx, audience, event)
  if (before.status === 'bot')
    await appendEvent(tx, audience, { event: 'ticketBot', action: 'reload', version, ticketId })
}

/** One ticket. Throws `ERR_NO_TICKET_FOUND`. */
export async function loadTicketView(db: Db | Tx, id: number): Promise<TicketView> {
  const view = (await loadTickets(db, [id])).get(id)
  if (!view) throw new AppError('ERR_NO_TICKET_FOUND')
  return view
}

/** Tickets by id, in the form of the contract: one statement however many. Unknown ids are missing from the map. */
export async function loadTickets(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketView>> {
  if (ids.length === 0) return new Map()
  const sql = getSql(getPageDatabase(db))
  // Of a list whose length is known Postgres makes one plan for all: making it takes ten times as long as to read a ticket.
  const [id, ...more] = ids
  const given = id === undefined || more.length > 0 ? sql`${ids}::int[]` : sql`array[${id}::int]`
  const rows = await sql<TicketRow[]>`${ticketsSql(sql, given)}`
  return new Map(rows.map(row => [row.id, toTicketView(row)]))
}

/** Rows of the tickets with these ids, in their order. */
function ticketsSql(sql: postgres.Sql, ids: SqlFragment): SqlFragment {
  return rowsSql(sql, sql`unnest(${ids}) with ordinality as k(id, place)`, sql`null::int`)
}

/**
 * The same of a page that is found in the same statement, with a figure on its first row. How many ids an expression gives Postgres cannot
 * know, and takes ten for granted: told that it is a page, it remembers queues and people from row to row instead of looking each up again.
 */
export function ticketPageSql(sql: postgres.Sql, ids: SqlFragment, count: SqlFragment): SqlFragment {
  const places = sql`rows from (unnest(${ids}), generate_series(1, 40)) with ordinality as k(id, n, place)`
  return rowsSql(sql, places, sql`case when k.place = 1 then (${count}) end`)
}

function rowsSql(sql: postgres.Sql, places: SqlFragment, count: SqlFragment): SqlFragment {
  // A document without a caption is called by its name.
  const lastWords = sql`case when t.last_message = '' and t.last_message_type = 'application'
    then coalesce((select m.media->>'name' from message m where m.id = t.last_message_id), '') else t.last_message end`
  // Who waits is shown by their own words, whatever we said to them or noted since.
  const heard = sql`case when t.status in ('pending', 'bot') and t.last_message_from_me then (
    select jsonb_build_object('id', m.id, 'body', m.body, 'mediaType', m.media_type, 'media', m.media, 'details', m.details, 'isDeleted', m.is_deleted)
    from message m where m.ticket_id = t.id and not m.from_me order by m.at desc nulls last, m.seq desc nulls last limit 1) end`
  const tags = sql`case when exists (select from contact_tag ct where ct.contact_id = t.contact_id) then (
    select json_agg(tag) from (select tag.id, tag.name, tag.color from contact_tag ct join tag on tag.id = ct.tag_id
      where ct.contact_id = t.contact_id order by tag.name, tag.id) tag) end`
  const heardAt = sql`coalesce(h.last_inbound_at, (select max(m.at) from message m
    where m.contact_id = t.contact_id and m.whatsapp_id = t.whatsapp_id and not m.from_me))`
  return sql`
    select t.id, t.status, t.queue_id as "queueId", t.user_id as "userId", t.contact_id as "contactId", t.whatsapp_id as "whatsappId",
      coalesce(q.name, p.name, '') as "queueName", coalesce(q.color, p.color, '') as "queueColor",
      u.name as "userName", u.profile_pic_url as "userPicture", u.profile as "ownerProfile",
      c.name as "contactName", c.number, c.profile_pic_url as "contactPicture", c.is_group as "contactIsGroup", ${tags} as tags,
      w.name as "whatsappName", w.api, w.status as "whatsappStatus",
      t.is_group as "isGroup", ${lastWords} as "lastMessage", t.last_message_type as "lastMessageType",
      t.last_message_id::float8 as "lastMessageId", t.last_message_from_me as "lastMessageFromMe", t.last_message_state as "lastMessageState",
      t.last_message_at as "lastMessageAt", t.unread_messages as "unreadMessages", t.pause_tag as "pauseTag",
      ${windowEndSql(sql, heardAt)} as "windowUntil", coalesce(h.is_out, false) as "isOutOfGroup", t.created_at as "createdAt", t.updated_at as "updatedAt",
      t.accepted_at as "acceptedAt", t.closed_at as "closedAt", t.version::float8 as version, ${heard} as heard, ${count} as count
    from ${places}
      join ticket t on t.id = k.id
      join contact c on c.id = t.contact_id
      join whatsapp w on w.id = t.whatsapp_id
      left join queue q on q.id = t.queue_id
      left join past_queue p on p.id = t.queue_id
      left join "user" u on u.id = t.user_id
      left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id
    order by k.place`
}

/** Objects are made here: Postgres takes a third of the whole statement for them. */
export interface TicketRow extends Omit<Ticket, 'queue' | 'user' | 'contact' | 'whatsapp'> {
  readonly queueName: string
  readonly queueColor: string
  readonly userName: string | null
  readonly userPicture: string | null
  readonly ownerProfile: Profile | null
  readonly contactName: string
  readonly number: string | null
  readonly contactPicture: string | null
  readonly contactIsGroup: boolean
  readonly tags: Tag[] | null
  readonly whatsappName: string
  readonly api: Kind
  readonly whatsappStatus: ConnectionStatus
  readonly lastMessageId: number | null
  /** Of a page, on its first row. */
  readonly count: number | null
  readonly heard:
    | (Parameters<typeof formatMessagePreview>[0] & { readonly id: number; readonly isDeleted: boolean })
    | null
}

export function toTicketView(row: TicketRow): TicketView {
  // biome-ignore format: what is left over is copied once for each row
  const { queueName, queueColor, userName, userPicture, ownerProfile, lastMessageId, heard, contactName, number, contactPicture, contactIsGroup,
    tags, whatsappName, api, whatsappStatus, count: _, ...own } = row
  const { status, queueId, userId, contactId, whatsappId, isGroup } = own
  const ticket: Ticket = {
    ...own,
    queue: queueId === null ? null : { id: queueId, name: queueName, color: queueColor },
    user: userId === null ? null : { id: userId, name: userName ?? '', profilePicUrl: userPicture },
    contact: {
      id: contactId,
      name: contactName,
      number,
      profilePicUrl: contactPicture,
      isGroup: contactIsGroup,
      tags: tags ?? [],
    },
    whatsapp: { id: whatsappId, name: whatsappName, api, status: whatsappStatus },
    ...(heard && {
      ...(heard.isDeleted ? GONE : { lastMessage: formatMessagePreview(heard), lastMessageType: heard.mediaType }),
      lastMessageFromMe: false,
      lastMessageState: null,
    }),
  }
  return {
    ticket,
    facts: { status, queueId, userId, ownerProfile, isGroup },
    saidIn: heard?.id ?? lastMessageId,
  }
}

const GONE = { lastMessage: '', lastMessageType: 'deleted' } as const

/** A ticket as a fresh fetch shows it once its last words were taken back. */
export function clearLastMessage(ticket: Ticket): Ticket {
  return { ...ticket, ...GONE }
}
