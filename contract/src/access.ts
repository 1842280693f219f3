// Who may see and do what: the one policy. Pure; `backend/access` has its twin in SQL and a property test compares the two.

import type { Settings } from './settings/settings.ts'
import type { TicketStatus } from './tickets/ticket.ts'
import type { Profile } from './users/user.ts'

/** The person asking. `queueIds` are the person's own queues. */
export interface Viewer {
  readonly id: number
  readonly profile: Profile
  readonly queueIds: readonly number[]
}

/**
 * What the policy needs to know of a ticket. `queueId` stays when the queue goes away: then nobody has it, and administrators alone see
 * what lies there. `ownerProfile` is the profile of the assigned user, null when unassigned.
 */
export interface TicketFacts {
  readonly status: TicketStatus
  readonly queueId: number | null
  readonly userId: number | null
  readonly ownerProfile: Profile | null
  readonly isGroup: boolean
  /** Who was asked in; nobody follows a closed one. */
  readonly followerIds?: readonly number[]
}

/** The settings that change who sees what (decisions §5). */
export const ACCESS_SETTINGS = [
  'onlyAdminSeeEmptyQueue',
  'userShowAll',
  'userClosedQueues',
  'groupPerUser',
  'hierarchy',
  'adminChatInterno',
] as const
export type AccessSettings = Pick<Settings, (typeof ACCESS_SETTINGS)[number]>

/** Why the policy said yes or no; every rule of decisions §4 has one name. */
export const RULES = [
  'admin',
  'own',
  'unassigned',
  'manager',
  'group',
  'follower',
  'colleague_live',
  'colleague_closed',
  'no_queue_hidden',
  'other_queue',
  'above_in_hierarchy',
  'colleague_group',
  'colleague_live_hidden',
  'colleague_closed_hidden',
] as const
export type AccessRule = (typeof RULES)[number]

export interface AccessVerdict {
  readonly allowed: boolean
  readonly rule: AccessRule
}

/**
 * Whether a viewer may see a ticket, and by which rule (decisions §4, "Who may see a ticket, exactly").
 * @example explainTicket({ id: 7, profile: 'user', queueIds: [1] }, facts, settings) // { allowed: false, rule: 'other_queue' }
 */
export function explainTicket(viewer: Viewer, ticket: TicketFacts, settings: AccessSettings): AccessVerdict {
  const verdict = judgeTicket(viewer, ticket, settings)
  return !verdict.allowed && ticket.followerIds?.includes(viewer.id) ? allow('follower') : verdict
}

/** The rules without the one of followers. */
function judgeTicket(viewer: Viewer, ticket: TicketFacts, settings: AccessSettings): AccessVerdict {
  if (viewer.profile === 'admin') return allow('admin')
  if (ticket.queueId === null) {
    if (settings.onlyAdminSeeEmptyQueue) return deny('no_queue_hidden')
  } else if (!viewer.queueIds.includes(ticket.queueId)) return deny('other_queue')
  if (ticket.userId === viewer.id) return allow('own')
  if (ticket.userId === null) return allow('unassigned')
  const verdict = judgeColleagueTicket(viewer, ticket, settings)
  return verdict.allowed && settings.hierarchy && ticket.ownerProfile !== 'user' ? deny('above_in_hierarchy') : verdict
}

/** A colleague's ticket, before the hierarchy, which limits every one of these rules alike. */
function judgeColleagueTicket(viewer: Viewer, ticket: TicketFacts, settings: AccessSettings): AccessVerdict {
  if (viewer.profile === 'gerente') return allow('manager')
  if (ticket.isGroup) return settings.groupPerUser ? deny('colleague_group') : allow('group')
  if (ticket.status === 'closed')
    return settings.userClosedQueues ? allow('colleague_closed') : deny('colleague_closed_hidden')
  return settings.userShowAll ? allow('colleague_live') : deny('colleague_live_hidden')
}

/** Whether a viewer may see a ticket: its list row, messages, files, events, counts and notifications alike. */
export function canSeeTicket(viewer: Viewer, ticket: TicketFacts, settings: AccessSettings): boolean {
  return explainTicket(viewer, ticket, settings).allowed
}

/** Whether a viewer may work on a ticket: sees it by their own right. Who sees it as a follower alone reads and comments. */
export function canServeTicket(viewer: Viewer, ticket: TicketFacts, settings: AccessSettings): boolean {
  return judgeTicket(viewer, ticket, settings).allowed
}

/** What the policy needs to know of an internal chat: the two sides of a direct one, the members of a group. */
export interface ChatFacts {
  readonly userIds: readonly number[]
}

/** Whether a viewer may see an internal chat: those in it, and administrators while `adminChatInterno` is enabled (spec 1 §6). */
export function canSeeChat(
  viewer: Viewer,
  chat: ChatFacts,
  settings: Pick<AccessSettings, 'adminChatInterno'>,
): boolean {
  return canWriteChat(viewer, chat) || (viewer.profile === 'admin' && settings.adminChatInterno)
}

/** Whether a viewer may write in an internal chat, or change it: only those in it, whatever their profile (spec 1 §6). */
export function canWriteChat(viewer: Pick<Viewer, 'id'>, chat: ChatFacts): boolean {
  return chat.userIds.includes(viewer.id)
}

/** Whether a viewer may see a quick answer, and so change it: one's own alone, whatever the profile; a queue's with the queue. */
export function canSeeQuickAnswer(
  viewer: Viewer,
  { queueId, userId }: { readonly queueId: number | null; readonly userId: number | null },
): boolean {
  if (userId !== null) return userId === viewer.id
  return queueId === null || viewer.profile === 'admin' || viewer.queueIds.includes(queueId)
}

/** Areas of the product with a fixed rule by profile (decisions §4, spec 1 §6). */
export type Area =
  | 'contacts'
  | 'quickAnswers'
  | 'tags'
  | 'protocols'
  | 'bot'
  | 'dashboard'
  | 'connections'
  | 'settings'
  | 'users'
  | 'queues'
  | 'nps'
  | 'deleteTicket'
  | 'showAll'
  | 'sends'

/** Whether a viewer may use an area. Lists readable by everyone for choosing (queues, connections' names) are not areas. */
export function canUseArea(viewer: Viewer, area: Area, settings: AccessSettings): boolean {
  switch (area) {
    case 'contacts':
    case 'quickAnswers':
    case 'tags':
    case 'protocols':
    case 'bot':
      return true
    case 'sends':
      return viewer.profile !== 'user'
    case 'showAll':
      return viewer.profile !== 'user' || settings.userShowAll
    default:
      return viewer.profile === 'admin'
  }
}

/**
 * The key of a viewer's audience: viewers with the same key see exactly the same tickets, so an event is judged once for all of them.
 * Admins see all, so they share one; everybody else also has tickets of his own.
 */
export function toAudienceKey(viewer: Viewer): string {
  if (viewer.profile === 'admin') return 'admin'
  return `${viewer.profile}:${viewer.id}:${[...viewer.queueIds].sort((a, b) => a - b).join(',')}`
}

function allow(rule: AccessRule): AccessVerdict {
  return { allowed: true, rule }
}

function deny(rule: AccessRule): AccessVerdict {
  return { allowed: false, rule }
}
