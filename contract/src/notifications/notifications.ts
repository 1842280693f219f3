// Who is told that something waits (spec 1 §4 "Notifications", decisions §5): one function for bells, sounds, browser
// notifications and web push alike. Pure; `backend/src/policy/access` has its twin in SQL and a property test compares the two.
import {
  type AccessSettings,
  type ChatFacts,
  canSeeTicket,
  canWriteChat,
  type TicketFacts,
  type Viewer,
} from '../access.ts'
import { LANGUAGES } from '../kit/language.ts'
import { Id, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import type { Settings } from '../settings/settings.ts'
import type { TicketStatus } from '../tickets/ticket.ts'

/** The settings that change who is told. */
export type NoticeSettings = Pick<Settings, 'notificateAllTickets' | 'notifyGroupToAllUsers'>

/** `queueStaffed`: whether anybody active has the ticket's queue; true without a queue. */
export interface NoticeFacts extends TicketFacts {
  readonly queueStaffed: boolean
}

/** Why somebody is told or not; every rule has one name. */
export const NOTICE_RULES = [
  'own',
  'follower',
  'group',
  'own_queue',
  'no_queue',
  'all',
  'unseen',
  'not_waiting',
  'group_quiet',
  'colleague_quiet',
  'other_queue_quiet',
  'unstaffed_queue',
] as const
export type NoticeRule = (typeof NOTICE_RULES)[number]

/** In these a customer waits for a person; in the others for the bot, for nobody, or not at all. */
export const WAITING_STATUSES: readonly TicketStatus[] = ['pending', 'open', 'paused']

/**
 * Whether somebody is told of what happens in a ticket, and by which rule. Nobody is ever told of a ticket he may not see.
 * @example explainNotice(viewer, facts, settings) // { told: true, rule: 'own_queue' }
 */
export function explainNotice(
  viewer: Viewer,
  ticket: NoticeFacts,
  settings: AccessSettings & NoticeSettings,
): { readonly told: boolean; readonly rule: NoticeRule } {
  if (!canSeeTicket(viewer, ticket, settings)) return { told: false, rule: 'unseen' }
  if (!WAITING_STATUSES.includes(ticket.status)) return { told: false, rule: 'not_waiting' }
  if (ticket.userId === viewer.id) return { told: true, rule: 'own' }
  if (ticket.followerIds?.includes(viewer.id)) return { told: true, rule: 'follower' }
  if (ticket.isGroup)
    return settings.notifyGroupToAllUsers ? { told: true, rule: 'group' } : { told: false, rule: 'group_quiet' }
  if (ticket.userId === null) {
    if (ticket.queueId === null) return { told: true, rule: 'no_queue' }
    if (viewer.queueIds.includes(ticket.queueId)) return { told: true, rule: 'own_queue' }
  }
  if (!settings.notificateAllTickets)
    return { told: false, rule: ticket.userId === null ? 'other_queue_quiet' : 'colleague_quiet' }
  return ticket.queueStaffed ? { told: true, rule: 'all' } : { told: false, rule: 'unstaffed_queue' }
}

/** Whether somebody is told of what happens in a ticket. */
export function shouldNotify(viewer: Viewer, ticket: NoticeFacts, settings: AccessSettings & NoticeSettings): boolean {
  return explainNotice(viewer, ticket, settings).told
}

/** Whether somebody is told of a message in an internal chat: those in it, but for the one who wrote it. */
export function shouldNotifyOfChatMessage(viewer: Pick<Viewer, 'id'>, chat: ChatFacts, senderId: number): boolean {
  return viewer.id !== senderId && canWriteChat(viewer, chat)
}

/** Whether a ticket stands in the bell of those who are told of it: a customer waits for a person, or wrote something unread. */
export function isWaitingInBell(ticket: Pick<TicketFacts, 'status'>, unreadMessages: number): boolean {
  return ticket.status === 'pending' || (WAITING_STATUSES.includes(ticket.status) && unreadMessages > 0)
}

/** A change of a ticket. `by`: the person who made it, if a person did. */
export interface NoticeableChange {
  readonly action: 'create' | 'update' | 'updateUnread'
  readonly before: NoticeFacts | null
  readonly after: NoticeFacts
  readonly unreadMessages: number
  readonly by: number | null
}

/** `message`: the customer wrote · `arrived`: it came to wait where one is told of it · `assigned`: somebody gave it to one · `mentioned`: a
 * comment calls one · `woken`: a pause of one's own is over · `followed`: somebody asked one in. */
export const NoticeReason = StringEnum(['message', 'arrived', 'assigned', 'mentioned', 'woken', 'followed'])
export type NoticeReason = Static<typeof NoticeReason>

/** What a change of a ticket is to somebody: a reason to be told, or null. Nobody is told of what they did themselves. */
export function findNoticeReason(
  viewer: Viewer,
  change: NoticeableChange,
  settings: AccessSettings & NoticeSettings,
): NoticeReason | null {
  const { action, before, after, unreadMessages, by } = change
  if (by === viewer.id || !shouldNotify(viewer, after, settings)) return null
  if (action !== 'update' && unreadMessages > 0) return 'message'
  if (before === null && (action !== 'create' || by === null)) return null
  if (before && isFollowing(viewer, after) && !isFollowing(viewer, before)) return 'followed'
  if (after.userId === viewer.id && before?.status === 'paused' && by === null) return 'woken'
  if (after.userId === viewer.id) return before?.userId === viewer.id ? null : 'assigned'
  if (after.status !== 'pending') return null
  return before?.status === 'pending' && shouldNotify(viewer, before, settings) ? null : 'arrived'
}

function isFollowing(viewer: Viewer, { followerIds = [] }: NoticeFacts): boolean {
  return followerIds.includes(viewer.id)
}

/** What somebody is told while they are there. `version` is the ticket's or the chat's: of two the higher one is the newer. */
export const Notice = Type.Object({
  about: StringEnum(['ticket', 'chat']),
  id: Id,
  /** Which message, where one is meant. */
  messageId: Type.Optional(Id),
  reason: NoticeReason,
  name: Type.String({ description: 'the customer, the colleague, or the group' }),
  author: Nullable(
    Type.String({
      description: 'who wrote, in an internal group or a comment; who gave it away, of a ticket that was transferred',
    }),
  ),
  text: Type.String({
    description: 'the beginning of the last message; empty for files without words; of a transfer, why',
  }),
  mediaType: Type.String(),
  photo: Nullable(Type.String()),
  at: Type.String(),
  version: Type.Integer(),
})
export type Notice = Static<typeof Notice>

/**
 * What goes to a device through a push service: who and how many, never what was said. It is encrypted for the device, but it may
 * stand on a locked screen.
 */
export const PushPayload = Type.Object({
  about: StringEnum(['ticket', 'chat']),
  id: Id,
  messageId: Type.Optional(Id),
  reason: NoticeReason,
  name: Type.String(),
  unread: Type.Integer(),
  language: StringEnum(LANGUAGES),
})
export type PushPayload = Static<typeof PushPayload>
