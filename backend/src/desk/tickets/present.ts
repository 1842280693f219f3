// Tickets in the form of the contract, many at once, and the live events that carry them.
import type { ConnectionStatus, Kind, Profile, Tag, Ticket, TicketFacts, UserBrief } from '@balcao/contract'
import type postgres from 'postgres'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent, appendEvents } from '../../platform/live/append.ts'
import type { Audience, Handover } from '../../platform/live/table.ts'
import { followerIdsSql } from '../../policy/access/ticket-facts.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { isWindowedSql, windowEndSql, windowUntilSql } from '../connections/window.ts'
import { formatMessagePreview } from '../messages/preview.ts'
import { type KnownNames, nameRevisionSql } from '../names/known-names.ts'
import { findWakingTime } from './woken.ts'

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
  const idList = id === undefined || more.length > 0 ? sql`${ids}::int[]` : sql`array[${id}::int]`
  const rows = await sql<TicketRow[]>`${ticketsSql(sql, idList)}`
  return new Map(rows.map(row => [row.id, toTicketView(row)]))
}

/** Rows of the tickets with these ids, in their order, with the names they have in this transaction. */
function ticketsSql(sql: postgres.Sql, ids: SqlFragment): SqlFragment {
  const tags = sql`case when exists (select from contact_tag ct where ct.contact_id = t.contact_id) then (
    select json_agg(tag) from (select tag.id, tag.name, tag.color from contact_tag ct join tag on tag.id = ct.tag_id
      where ct.contact_id = t.contact_id order by tag.name, tag.id) tag) end`
  const named = sql`coalesce(q.name, p.name, '') as "queueName", coalesce(q.color, p.color, '') as "queueColor",
    u.name as "userName", u.profile_pic_url as "userPicture", u.profile as "ownerProfile",
    ${followersSql(sql)} as followers, w.name as "whatsappName", w.api, w.status as "whatsappStatus", ${tags} as tags,
    ${windowEndSql(sql, heardAtSql(sql))} as "windowUntil"`
  return sql`
    select ${ownColumnsSql(sql)}, ${named}
    from unnest(${ids}) with ordinality as k(id, place)
      join ticket t on t.id = k.id
      join contact c on c.id = t.contact_id
      join whatsapp w on w.id = t.whatsapp_id
      left join queue q on q.id = t.queue_id
      left join past_queue p on p.id = t.queue_id
      left join "user" u on u.id = t.user_id
    order by k.place`
}

/** Who follows a ticket `t`, with names. */
function followersSql(sql: postgres.Sql): SqlFragment {
  return sql`(select json_agg(json_build_object('id', p.id, 'name', p.name, 'profilePicUrl', p.profile_pic_url) order by f.created_at, f.user_id)
    from ticket_follower f join "user" p on p.id = f.user_id where f.ticket_id = t.id)`
}

/**
 * The same of a page that is found in the same statement, without names (`toPageTicket` knows them) and with a figure on its first row. How
 * many ids an expression gives Postgres cannot know, and takes ten for granted: it is told that it is a page.
 */
export function ticketPageSql(sql: postgres.Sql, ids: SqlFragment, count: SqlFragment): SqlFragment {
  return sql`
    select ${ownColumnsSql(sql)}, ${followerIdsSql(sql)} as "followerIds",
      case when exists (select from ticket_follower f where f.ticket_id = t.id)
        then (select u.profile from "user" u where u.id = t.user_id) end as "ownerProfile",
      (select array_agg(ct.tag_id) from contact_tag ct where ct.contact_id = t.contact_id) as "tagIds",
      case when t.whatsapp_id = any(array(select w.id from whatsapp w where ${isWindowedSql(sql)}))
        then ${windowUntilSql(sql, heardAtSql(sql))} end as "windowUntil",
      case when k.place = 1 then (${count}) end as count, case when k.place = 1 then ${nameRevisionSql(sql)} end as "nameRevision"
    from rows from (unnest(${ids}), generate_series(1, 40)) with ordinality as k(id, n, place)
      join ticket t on t.id = k.id
      join contact c on c.id = t.contact_id
    order by k.place`
}

/** When the contact wrote last. */
function heardAtSql(sql: postgres.Sql): SqlFragment {
  return sql`coalesce(
    (select h.last_inbound_at from contact_channel h where h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id),
    (select max(m.at) from message m where m.contact_id = t.contact_id and m.whatsapp_id = t.whatsapp_id and not m.from_me))`
}

/** What stands in the rows of a ticket `t` and its contact `c`. */
function ownColumnsSql(sql: postgres.Sql): SqlFragment {
  // A document without a caption is called by its name.
  const lastWords = sql`case when t.last_message = '' and t.last_message_type = 'application'
    then coalesce((select m.media->>'name' from message m where m.id = t.last_message_id), '') else t.last_message end`
  // Who waits is shown by their own words, whatever we said to them or noted since.
  const heard = sql`case when t.status in ('pending', 'bot') and t.last_message_from_me then (
    select jsonb_build_object('id', m.id, 'body', m.body, 'mediaType', m.media_type, 'media', m.media, 'details', m.details, 'isDeleted', m.is_deleted)
    from message m where m.ticket_id = t.id and not m.from_me order by m.at desc nulls last, m.seq desc nulls last limit 1) end`
  const isOut = sql`t.is_group and coalesce(
    (select h.is_out from contact_channel h where h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id), false)`
  return sql`t.id, t.status, t.queue_id as "queueId", t.user_id as "userId", t.contact_id as "contactId", t.whatsapp_id as "whatsappId",
      c.name as "contactName", c.number, c.profile_pic_url as "contactPicture", c.is_group as "contactIsGroup",
      t.is_group as "isGroup", ${lastWords} as "lastMessage", t.last_message_type as "lastMessageType",
      t.last_message_id::float8 as "lastMessageId", t.last_message_from_me as "lastMessageFromMe", t.last_message_state as "lastMessageState",
      t.last_message_at as "lastMessageAt", t.unread_messages as "unreadMessages", t.pause_tag as "pauseTag",
      t.pause_until as "pauseUntil", t.paused_by as "pausedBy",
      t.answer_since as "answerSince", t.answer_due_at as "answerDueAt",
      ${isOut} as "isOutOfGroup", t.created_at as "createdAt", t.updated_at as "updatedAt",
      t.accepted_at as "acceptedAt", t.closed_at as "closedAt", t.version::float8 as version, ${heard} as heard`
}

/** Objects are made here: Postgres takes a third of the whole statement for them. */
interface OwnColumns
  extends Omit<Ticket, 'queue' | 'user' | 'contact' | 'whatsapp' | 'followers' | 'ownerProfile' | 'wokenAt'> {
  readonly contactName: string
  readonly number: string | null
  readonly contactPicture: string | null
  readonly contactIsGroup: boolean
  readonly lastMessageId: number | null
  readonly pausedBy: number | null
  readonly heard:
    | (Parameters<typeof formatMessagePreview>[0] & { readonly id: number; readonly isDeleted: boolean })
    | null
}

interface TicketRow extends OwnColumns {
  readonly queueName: string
  readonly queueColor: string
  readonly userName: string | null
  readonly userPicture: string | null
  readonly ownerProfile: Profile | null
  readonly followers: UserBrief[] | null
  readonly tags: Tag[] | null
  readonly whatsappName: string
  readonly api: Kind
  readonly whatsappStatus: ConnectionStatus
}

export interface TicketPageRow extends OwnColumns {
  readonly tagIds: number[] | null
  readonly followerIds: number[] | null
  /** Where somebody follows. */
  readonly ownerProfile: Profile | null
  /** Both on the first row of a page. */
  readonly count: number | null
  readonly nameRevision: string | null
}

function toTicketView(row: TicketRow): TicketView {
  const { status, queueId, userId, whatsappId, isGroup, ownerProfile, heard, lastMessageId } = row
  const ticket = toTicket(row, {
    ownerProfile,
    queue: queueId === null ? null : { id: queueId, name: row.queueName, color: row.queueColor },
    user: userId === null ? null : { id: userId, name: row.userName ?? '', profilePicUrl: row.userPicture },
    whatsapp: { id: whatsappId, name: row.whatsappName, api: row.api, status: row.whatsappStatus },
    tags: row.tags ?? [],
    followers: row.followers ?? [],
  })
  const followerIds = row.followers?.map(({ id }) => id)
  const facts = { status, queueId, userId, ownerProfile, isGroup, ...(followerIds && { followerIds }) }
  return { ticket, facts, saidIn: heard?.id ?? lastMessageId }
}

/** A ticket of a page, with the names that are known; none of a connection that was deleted meanwhile. */
export function toPageTicket(row: TicketPageRow, { queues, people, connections, tags }: KnownNames): Ticket[] {
  const { queueId, userId, tagIds } = row
  const whatsapp = connections.get(row.whatsappId)
  if (!whatsapp) return []
  const named = tagIds?.flatMap(id => tags.get(id) ?? []).sort((one, other) => one.place - other.place)
  const ticket = toTicket(row, {
    ownerProfile: row.ownerProfile,
    queue: queueId === null ? null : (queues.get(queueId) ?? { id: queueId, name: '', color: '' }),
    user: userId === null ? null : (people.get(userId) ?? { id: userId, name: '', profilePicUrl: null }),
    whatsapp,
    tags: named?.map(({ tag }) => tag) ?? [],
    followers: row.followerIds?.flatMap(id => people.get(id) ?? []) ?? [],
  })
  return [ticket]
}

function toTicket(
  row: OwnColumns,
  {
    queue,
    user,
    whatsapp,
    tags,
    followers,
    ownerProfile,
  }: Pick<Ticket, 'queue' | 'user' | 'whatsapp'> &
    Required<Pick<Ticket, 'followers' | 'ownerProfile'>> &
    Pick<Ticket['contact'], 'tags'>,
): Ticket {
  const { contactId, heard } = row
  const wokenAt = findWakingTime(row)
  return {
    id: row.id,
    status: row.status,
    queueId: row.queueId,
    queue,
    userId: row.userId,
    user,
    contactId,
    contact: {
      id: contactId,
      name: row.contactName,
      number: row.number,
      profilePicUrl: row.contactPicture,
      isGroup: row.contactIsGroup,
      tags,
    },
    whatsappId: row.whatsappId,
    whatsapp,
    isGroup: row.isGroup,
    lastMessage: row.lastMessage,
    lastMessageType: row.lastMessageType,
    lastMessageFromMe: row.lastMessageFromMe,
    lastMessageState: row.lastMessageState,
    lastMessageAt: row.lastMessageAt,
    unreadMessages: row.unreadMessages,
    pauseTag: row.pauseTag,
    answerSince: row.answerSince,
    answerDueAt: row.answerDueAt,
    pauseUntil: row.status === 'paused' && row.pausedBy !== null ? (row.pauseUntil ?? 'answer') : null,
    ...(wokenAt && { wokenAt }),
    windowUntil: row.windowUntil,
    isOutOfGroup: row.isOutOfGroup,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    acceptedAt: row.acceptedAt,
    closedAt: row.closedAt,
    version: row.version,
    ...(followers.length > 0 && { followers, ownerProfile }),
    ...(heard && {
      ...(heard.isDeleted ? GONE : { lastMessage: formatMessagePreview(heard), lastMessageType: heard.mediaType }),
      lastMessageFromMe: false,
      lastMessageState: null,
    }),
  }
}

const GONE = { lastMessage: '', lastMessageType: 'deleted' } as const

/** A ticket as a fresh fetch shows it once its last words were taken back. */
export function clearLastMessage(ticket: Ticket): Ticket {
  return { ...ticket, ...GONE }
}
