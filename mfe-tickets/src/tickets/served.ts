// Whether a person works on a ticket or only follows it, by the policy of the server (docs/decisions/0316).
import type { Ticket, Viewer } from '@balcao/contract'
import { canServeTicket } from '@balcao/contract/access'
import { isSettingOn, session } from '@balcao/ui/session'
import { isFollowing } from './is-in-list.ts'

/** Of a ticket this person sees: who does not follow it serves it. */
export function canServe(viewer: Viewer, ticket: Ticket): boolean {
  const facts = { ...ticket, ownerProfile: ticket.ownerProfile ?? null }
  return !isFollowing(viewer, ticket) || canServeTicket(viewer, facts, readAccessSettings())
}

/** The same of the person who is signed in. */
export function isServed(ticket: Ticket): boolean {
  const { user } = session
  return user === null || canServe({ ...user, queueIds: user.queues.map(({ id }) => id) }, ticket)
}

function readAccessSettings() {
  return {
    onlyAdminSeeEmptyQueue: isSettingOn('onlyAdminSeeEmptyQueue'),
    userShowAll: isSettingOn('userShowAll'),
    userClosedQueues: isSettingOn('userClosedQueues'),
    groupPerUser: isSettingOn('groupPerUser'),
    hierarchy: isSettingOn('hierarchy'),
    adminChatInterno: false,
  }
}
