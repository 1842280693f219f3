// Which list a ticket stands in: the same rule the server applies to a page, so a live change lands where a fresh fetch would put it.
import type { QueryParams, Ticket, Viewer } from '@balcao/contract'

export const LISTS = ['assigned', 'groups', 'pending', 'closed', 'closedGroups', 'paused', 'followed'] as const
export type ListName = (typeof LISTS)[number]

export interface ListViewer {
  readonly id: number
  /** Whether this person has the 'show all' toggle; the lists of who has not hold all that may be seen. */
  readonly mayShowAll: boolean
  /** Whether this person works on a ticket or only follows it; left out: on every one. */
  readonly serves?: (ticket: Ticket) => boolean
}

/** What the person chose above the list. `queueIds` null: all queues. */
export interface ListFilters {
  readonly showAll: boolean
  readonly queueIds: readonly number[] | null
  /** Of those who wait: the longest first, not the newest activity. */
  readonly longestFirst?: boolean
  /** Of those to be answered: what is due first, before the others. */
  readonly dueFirst?: boolean
  /** Of the live ones: where something is unread. */
  readonly onlyUnread?: boolean
  /** Of those to be answered: whose answer is late. Not remembered: what is not late would be missed another day. */
  readonly onlyLate?: boolean
}

/** The `status` that asks the server for this list (spec 1 §3, list filters); what one follows is a list by itself. */
export const STATUS_OF: Record<Exclude<ListName, 'followed'>, NonNullable<QueryParams<'GET /tickets'>['status']>> = {
  assigned: 'open',
  groups: 'group',
  pending: 'pending',
  closed: 'closed',
  closedGroups: 'closedGroup',
  paused: 'paused',
}

/** Whether a colleague asked this person in. */
export function isFollowing({ id }: Pick<Viewer, 'id'>, { followers = [] }: Ticket): boolean {
  return followers.some(follower => follower.id === id)
}

/**
 * Whether a ticket the viewer may see stands in a list (spec 1 §2 and §4 "List behaviour").
 * Whether it may be seen at all is the server's business: it sends `hidden` to whom it is not for.
 */
export function isInList(list: ListName, ticket: Ticket, viewer: ListViewer, filters: ListFilters): boolean {
  if (list === 'followed') return isFollowing(viewer, ticket)
  if (!hasListStatus(list, ticket) || viewer.serves?.(ticket) === false) return false
  if (filters.queueIds && (ticket.queueId === null || !filters.queueIds.includes(ticket.queueId))) return false
  return filters.showAll || !viewer.mayShowAll || ticket.userId === null || ticket.userId === viewer.id
}

function hasListStatus(list: Exclude<ListName, 'followed'>, ticket: Ticket): boolean {
  switch (list) {
    case 'assigned':
      return ticket.status === 'open' && !ticket.isGroup
    case 'groups':
      return ticket.isGroup && ticket.status !== 'closed' && ticket.status !== 'paused'
    case 'pending':
      return ticket.status === 'pending' && !ticket.isGroup
    case 'paused':
      return ticket.status === 'paused'
    case 'closed':
      return ticket.status === 'closed' && !ticket.isGroup
    case 'closedGroups':
      return ticket.status === 'closed' && ticket.isGroup
  }
}

/** Whether a list is one of those with something unread; of what is over nothing is. */
export function isOnlyUnread(list: ListName, filters: ListFilters): boolean {
  return filters.onlyUnread === true && isLive(list)
}

export function isLive(list: ListName): boolean {
  return list !== 'closed' && list !== 'closedGroups'
}

/** Whether a list is one of those whose answer is late. */
export function isOnlyLate(list: ListName, filters: ListFilters): boolean {
  return filters.onlyLate === true && hasDue(list)
}

/** Of the others no answer is due. */
export function hasDue(list: ListName): boolean {
  return list === 'pending' || list === 'assigned'
}

export function isLate({ answerDueAt }: Pick<Ticket, 'answerDueAt'>): boolean {
  return answerDueAt !== null && Date.parse(answerDueAt) < Date.now()
}

/** Since when the customer waits for a person. */
export function getWaitStart({ answerSince, createdAt }: Pick<Ticket, 'answerSince' | 'createdAt'>): string {
  return answerSince ?? createdAt
}

/** Whether a list begins with whose answer is due first, or who has been waiting longest; else it does with the newest words. */
export function findListOrder(list: ListName, filters: ListFilters): 'due' | 'wait' | undefined {
  if (isOnlyLate(list, filters) || (filters.dueFirst && hasDue(list))) return 'due'
  return list === 'pending' && filters.longestFirst ? 'wait' : undefined
}
