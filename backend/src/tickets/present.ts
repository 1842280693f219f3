// Tickets in the form of the contract, many at once, and the live events that carry them.
import type { Kind, LiveEvent, MessageState, Profile, Tag, Ticket, TicketFacts, TicketStatus } from '@balcao/contract'
import { windowEnd } from '../connections/window.ts'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, isoOrNull, sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { appendEvents } from '../live/append.ts'
import type { Audience, Handed } from '../live/table.ts'
import { previewOf } from '../messages/preview.ts'

/** A ticket as it goes out, with the facts that decide who may see it. */
export interface TicketView {
  readonly ticket: Ticket
  readonly facts: TicketFacts
}

/** What happened to a ticket. `before`: its facts before the change, needed where somebody may have lost sight of it. */
export interface TicketChange {
  readonly ticketId: number
  readonly action: 'create' | 'update' | 'updateUnread'
  readonly before?: TicketFacts
  /** Who made the change, if a person did: nobody is told of what they did themselves. */
  readonly by?: number
  /** It was given to somebody: by whom, and with which words. */
  readonly handed?: Handed
}

/** Appends one live event per changed ticket, as it now stands in this transaction (spec 1 §4, "Live events"). */
export async function ticketEvents(tx: Tx, changes: readonly TicketChange[]): Promise<void> {
  const views = await loadTickets(
    tx,
    changes.map(change => change.ticketId),
  )
  const events: { event: LiveEvent; audience: Audience }[] = []
  for (const { ticketId, action, before, by, handed } of changes) {
    const view = views.get(ticketId)
    if (!view) continue
    const audience: Audience = {
      to: 'ticket',
      ticketId,
      after: view.facts,
      ...(before ? { before } : {}),
      ...(by === undefined ? {} : { by }),
      ...(handed ? { handed } : {}),
    }
    events.push({ event: { event: 'ticket', action, version: view.ticket.version, ticket: view.ticket }, audience })
  }
  await appendEvents(tx, events)
}

/** Tells everybody who could see a ticket that it is deleted. */
export async function ticketDeleted(tx: Tx, ticketId: number, version: number, before: TicketFacts): Promise<void> {
  await appendEvents(tx, [
    {
      event: { event: 'ticket', action: 'delete', version, ticketId, reason: 'deleted' },
      audience: { to: 'ticket', ticketId, after: null, before },
    },
  ])
}

/** One ticket. Throws `ERR_NO_TICKET_FOUND`. */
export async function ticketView(db: Db | Tx, id: number): Promise<TicketView> {
  const view = (await loadTickets(db, [id])).get(id)
  if (!view) throw new AppError('ERR_NO_TICKET_FOUND')
  return view
}

/** Tickets by id, in the form of the contract: one statement however many. Unknown ids are missing from the map. */
export async function loadTickets(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketView>> {
  if (ids.length === 0) return new Map()
  const sql = sqlOf(db)
  // A document without a caption is called by its name.
  const lastWords = sql`case when t.last_message = '' and t.last_message_type = 'application'
    then coalesce((select m.media->>'name' from message m where m.id = t.last_message_id), '') else t.last_message end`
  // Who waits is shown by their own words, whatever we said to them or noted since.
  const heard = sql`select m.body, m.media_type as "mediaType", m.media, m.is_deleted as "isDeleted" from message m
    where t.status = 'pending' and t.last_message_from_me and m.ticket_id = t.id and not m.from_me
    order by m.at desc, m.seq desc limit 1`
  const heardAt = sql`coalesce(h.last_inbound_at, (select max(m.at) from message m
    where m.contact_id = t.contact_id and m.whatsapp_id = t.whatsapp_id and not m.from_me))`
  const rows = await sql<TicketRow[]>`
    select t.id, t.status, t.queue_id, coalesce(q.name, p.name) as queue_name, coalesce(q.color, p.color) as queue_color,
      t.user_id, u.name as user_name, u.profile_pic_url as user_picture, u.profile as owner_profile,
      t.contact_id, c.name as contact_name, c.number as contact_number, c.profile_pic_url as contact_picture,
      c.is_group as contact_is_group, coalesce(g.tags, '[]'::json) as tags,
      t.whatsapp_id, w.name as whatsapp_name, w.api as whatsapp_api, w.status as whatsapp_status,
      t.is_group, ${lastWords} as last_message, t.last_message_type, t.last_message_from_me, t.last_message_state,
      t.last_message_at, t.unread_messages, t.pause_tag,
      ${windowEnd(sql, heardAt)} as window_until,
      t.created_at, t.updated_at, t.accepted_at, t.closed_at, t.version, to_jsonb(heard) as heard
    from ticket t
      join contact c on c.id = t.contact_id
      join whatsapp w on w.id = t.whatsapp_id
      left join queue q on q.id = t.queue_id
      left join past_queue p on p.id = t.queue_id
      left join "user" u on u.id = t.user_id
      left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id
      left join lateral (
        select json_agg(json_build_object('id', tag.id, 'name', tag.name, 'color', tag.color) order by tag.name, tag.id) as tags
        from contact_tag ct join tag on tag.id = ct.tag_id where ct.contact_id = t.contact_id
      ) g on true
      left join lateral (${heard}) heard on true
    where t.id = any(${ids}::int[])`
  return new Map(rows.map(row => [row.id, viewOf(row)]))
}

interface TicketRow {
  id: number
  status: TicketStatus
  queue_id: number | null
  user_id: number | null
  owner_profile: Profile | null
  is_group: boolean
  queue_name: string | null
  queue_color: string | null
  user_name: string | null
  user_picture: string | null
  contact_id: number
  contact_name: string
  contact_number: string | null
  contact_picture: string | null
  contact_is_group: boolean
  tags: Tag[]
  whatsapp_id: number
  whatsapp_name: string
  whatsapp_api: Kind
  whatsapp_status: Ticket['whatsapp']['status']
  last_message: string
  last_message_type: string
  last_message_from_me: boolean
  last_message_state: MessageState | null
  last_message_at: string
  unread_messages: number
  pause_tag: string | null
  window_until: string | null
  created_at: string
  updated_at: string
  accepted_at: string | null
  closed_at: string | null
  version: string
  heard: Heard | null
}

type Heard = Parameters<typeof previewOf>[0] & { readonly isDeleted: boolean }

function viewOf(row: TicketRow): TicketView {
  const ticket: Ticket = {
    id: row.id,
    status: row.status,
    queueId: row.queue_id,
    queue:
      row.queue_id === null ? null : { id: row.queue_id, name: row.queue_name ?? '', color: row.queue_color ?? '' },
    userId: row.user_id,
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '', profilePicUrl: row.user_picture },
    contactId: row.contact_id,
    contact: {
      id: row.contact_id,
      name: row.contact_name,
      number: row.contact_number,
      profilePicUrl: row.contact_picture,
      isGroup: row.contact_is_group,
      tags: row.tags,
    },
    whatsappId: row.whatsapp_id,
    whatsapp: { id: row.whatsapp_id, name: row.whatsapp_name, api: row.whatsapp_api, status: row.whatsapp_status },
    isGroup: row.is_group,
    ...lastOf(row),
    lastMessageAt: isoOf(row.last_message_at),
    unreadMessages: row.unread_messages,
    pauseTag: row.pause_tag,
    windowUntil: isoOrNull(row.window_until),
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
    acceptedAt: isoOrNull(row.accepted_at),
    closedAt: isoOrNull(row.closed_at),
    version: Number(row.version),
  }
  const { status, queueId, userId, isGroup } = ticket
  return { ticket, facts: { status, queueId, userId, ownerProfile: row.owner_profile, isGroup } }
}

function lastOf({ heard, ...row }: TicketRow) {
  if (!heard)
    return {
      lastMessage: row.last_message,
      lastMessageType: row.last_message_type,
      lastMessageFromMe: row.last_message_from_me,
      lastMessageState: row.last_message_state,
    }
  return {
    lastMessage: heard.isDeleted ? '' : previewOf(heard),
    lastMessageType: heard.isDeleted ? 'deleted' : heard.mediaType,
    lastMessageFromMe: false,
    lastMessageState: null,
  }
}
