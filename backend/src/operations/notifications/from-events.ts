// Turns live events into what people are told: who, by the one function of the contract, and in which words.
import {
  canSeeTicket,
  findNoticeReason,
  type LiveEvent,
  type Message,
  type Notice,
  type NoticeFacts,
  type Settings,
  type SharedChat,
  shouldNotifyOfChatMessage,
  type Ticket,
  type TicketFacts,
  truncateText,
  type Viewer,
} from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { LiveRow } from '../../platform/live/reader.ts'
import type { Audience, Handover } from '../../platform/live/table.ts'
import { readSettings } from '../../policy/settings/read.ts'

/** Something one person is told. */
export interface PersonalNotice {
  readonly userId: number
  readonly notice: Notice
}

/** What the decision needs besides the event and the person. */
export interface NoticeContext {
  readonly settings: Settings
  /** Queues that somebody active has. */
  readonly staffed: ReadonlySet<number>
}

/** Whether an event could be told to anybody; the others are not looked into. */
export function isNoticeable({ audience, payload }: LiveRow): boolean {
  return (
    (audience.to === 'ticket' &&
      audience.after !== null &&
      (audience.mentioned !== undefined || payload.startsWith('{"event":"ticket"'))) ||
    (audience.to === 'users' && payload.startsWith('{"event":"ticketChat"'))
  )
}

/** What some events are to some people. Cheap for most events: they are not even parsed. */
export async function buildNotices(
  db: Db,
  rows: readonly LiveRow[],
  viewers: readonly Viewer[],
): Promise<PersonalNotice[]> {
  const noticeable = rows.filter(isNoticeable)
  if (noticeable.length === 0 || viewers.length === 0) return []
  const context = await loadNoticeContext(db)
  return noticeable.flatMap(row => toNotices(row, viewers, context))
}

/** Settings and queues as they are now. */
export async function loadNoticeContext(db: Db): Promise<NoticeContext> {
  const settings = await readSettings(db)
  const staffed = settings.notificateAllTickets ? await staffedQueues(db) : new Set<number>()
  return { settings, staffed }
}

/** A ticket's facts with the one that only notices need. */
export function toNoticeFacts(facts: TicketFacts, { staffed }: NoticeContext): NoticeFacts {
  return { ...facts, queueStaffed: facts.queueId === null || staffed.has(facts.queueId) }
}

/** What one event is to some people. */
export function toNotices(row: LiveRow, viewers: readonly Viewer[], context: NoticeContext): PersonalNotice[] {
  const { audience } = row
  const event: LiveEvent = JSON.parse(row.payload)
  if (event.event === 'ticketChat') return chatNotices(event.chat, viewers)
  if (event.event === 'appMessage' && event.action !== 'delete')
    return mentionNotices(event.message, audience, viewers, context)
  if (audience.to !== 'ticket' || !audience.after || event.event !== 'ticket' || event.action === 'delete') return []
  const { ticket, action } = event
  const change = {
    action,
    before: audience.before ? toNoticeFacts(audience.before, context) : null,
    after: toNoticeFacts(audience.after, context),
    unreadMessages: ticket.unreadMessages,
    by: audience.by ?? null,
  }
  return viewers.flatMap(viewer => {
    const reason = findNoticeReason(viewer, change, context.settings)
    return reason ? [{ userId: viewer.id, notice: ticketNotice(ticket, reason, audience.handed) }] : []
  })
}

/** Whom a comment calls is told of it, whoever's the ticket is, as long as they may see it. */
function mentionNotices(
  message: Message,
  audience: Audience,
  viewers: readonly Viewer[],
  { settings }: NoticeContext,
): PersonalNotice[] {
  if (audience.to !== 'ticket' || !audience.after) return []
  const { after, mentioned = [] } = audience
  const notice: Notice = {
    about: 'ticket',
    id: message.ticketId,
    messageId: message.id,
    reason: 'mentioned',
    name: message.contact.name,
    author: message.user?.name ?? null,
    text: truncateText(message.body, TEXT),
    mediaType: message.mediaType,
    photo: null,
    at: message.createdAt,
    version: message.version,
  }
  return viewers.flatMap(viewer =>
    mentioned.includes(viewer.id) && canSeeTicket(viewer, after, settings) ? [{ userId: viewer.id, notice }] : [],
  )
}

function ticketNotice(ticket: Ticket, reason: Notice['reason'], handed: Handover | undefined): Notice {
  return {
    about: 'ticket',
    id: ticket.id,
    reason,
    name: ticket.contact.name,
    author: handed?.by ?? null,
    text: truncateText(handed ? handed.why : ticket.lastMessage, TEXT),
    mediaType: handed ? 'chat' : ticket.lastMessageType,
    photo: ticket.contact.profilePicUrl,
    at: ticket.lastMessageAt,
    version: ticket.version,
  }
}

function chatNotices(chat: SharedChat, viewers: readonly Viewer[]): PersonalNotice[] {
  const sender = chat.users.find(user => user.id === chat.lastMessageUserId)
  if (!sender) return []
  const facts = { userIds: chat.users.map(user => user.id) }
  const notice: Notice = {
    about: 'chat',
    id: chat.id,
    reason: 'message',
    name: chat.isGroup ? chat.groupName : sender.name,
    author: chat.isGroup ? sender.name : null,
    text: truncateText(chat.lastMessage, TEXT),
    mediaType: chat.lastMessageType,
    photo: chat.isGroup ? null : sender.profilePicUrl,
    at: chat.lastMessageAt,
    version: chat.version,
  }
  return viewers.flatMap(viewer =>
    shouldNotifyOfChatMessage(viewer, facts, sender.id) ? [{ userId: viewer.id, notice }] : [],
  )
}

async function staffedQueues(db: Db): Promise<Set<number>> {
  const rows = await getSql(db)<{ id: number }[]>`
    select distinct q.queue_id as id from user_queue q join "user" u on u.id = q.user_id and u.active and u.deleted_at is null`
  return new Set(rows.map(row => row.id))
}

const TEXT = 200
