// A page of a list as a union of index ranges. Each branch is one range of one index in the order of the list, so a page costs
// the same at ten thousand and at a million tickets, whoever looks (no branch reads rows only to throw them away).
import {
  type AccessSettings,
  canUseArea,
  LIVE_STATUSES,
  type QueryParams,
  type TicketStatus,
  type Viewer,
} from '@balcao/contract'

/** One range: tickets of a status, groups or not, of a queue (null: without one; undefined: any), of a person (by id) or of nobody. */
export interface Branch {
  readonly status: TicketStatus
  readonly isGroup: boolean
  readonly queueId: number | null | undefined
  readonly owner: number | 'anyone' | 'nobody'
}

type ListStatus = NonNullable<QueryParams<'GET /tickets'>['status']>
interface Kind {
  readonly status: TicketStatus
  readonly isGroup: boolean
}

/** The kinds of tickets in a list (spec 1 §3: list filters `group`, `closedGroup`, `nps`; §2: "Paused has one list", groups too). */
export function selectTicketKinds(status: ListStatus | undefined, isGroup: boolean | undefined): Kind[] {
  const kinds = kindsOfStatus(status)
  return isGroup === undefined ? kinds : kinds.filter(kind => kind.isGroup === isGroup)
}

function kindsOfStatus(status: ListStatus | undefined): Kind[] {
  switch (status) {
    case 'group':
      return LIVE_STATUSES.filter(live => live !== 'paused').map(live => ({ status: live, isGroup: true }))
    case 'closedGroup':
      return [{ status: 'closed', isGroup: true }]
    case 'paused':
    case 'bot':
    case 'nps':
      return both([status])
    case undefined:
      return both([...LIVE_STATUSES, 'closed'])
    default:
      return [{ status, isGroup: false }]
  }
}

function both(statuses: readonly TicketStatus[]): Kind[] {
  return statuses.flatMap(status => [
    { status, isGroup: false },
    { status, isGroup: true },
  ])
}

export interface ListChoice {
  readonly kinds: readonly Kind[]
  readonly showAll: boolean
  /** Undefined: every queue the viewer has. */
  readonly queueIds: readonly number[] | undefined
  /** Only tickets assigned to one of these. */
  readonly userIds?: readonly number[] | null
}

/**
 * Whether colleagues' tickets belong to a choice too, as far as the policy shows them. Who is not offered the 'show all' toggle
 * has nothing to ask with: without it, what `userClosedQueues` and the absence of `groupPerUser` let one see would stand in no list.
 */
export function shouldShowAll(viewer: Viewer, settings: AccessSettings, choice: Pick<ListChoice, 'showAll'>): boolean {
  return choice.showAll || !canUseArea(viewer, 'showAll', settings)
}

/**
 * The branches that together hold exactly the tickets of a list that a viewer may see. `attendants`: everybody with the
 * profile `user` but the viewer, whose own tickets are a branch of their own; only looked at with the setting `hierarchy`.
 */
export function buildBranches(
  viewer: Viewer,
  settings: AccessSettings,
  choice: ListChoice,
  attendants: readonly number[],
): Branch[] {
  return choice.kinds.flatMap(kind => branchesOfKind(viewer, settings, choice, kind, attendants))
}

function branchesOfKind(
  viewer: Viewer,
  settings: AccessSettings,
  choice: ListChoice,
  kind: Kind,
  attendants: readonly number[],
): Branch[] {
  const queues = selectQueues(viewer, settings, choice)
  const colleagues = shouldShowAll(viewer, settings, choice) ? selectColleagues(viewer, settings, kind) : 'none'
  return selectOwners(viewer, choice, colleagues, attendants).flatMap(owner =>
    queues.map(queueId => ({ ...kind, queueId, owner })),
  )
}

function selectOwners(
  viewer: Viewer,
  { userIds }: ListChoice,
  colleagues: 'all' | 'attendants' | 'none',
  attendants: readonly number[],
): Branch['owner'][] {
  const others = colleagues === 'attendants' ? attendants : []
  if (userIds) return userIds.filter(id => colleagues === 'all' || id === viewer.id || others.includes(id))
  return colleagues === 'all' ? ['anyone'] : [viewer.id, 'nobody', ...others]
}

/** The queues a list is made of; null stands for tickets without one, undefined for all at once. */
function selectQueues(viewer: Viewer, settings: AccessSettings, choice: ListChoice): readonly Branch['queueId'][] {
  if (viewer.profile === 'admin') return choice.queueIds ?? [undefined]
  if (choice.queueIds) return choice.queueIds.filter(id => viewer.queueIds.includes(id))
  return settings.onlyAdminSeeEmptyQueue ? viewer.queueIds : [...viewer.queueIds, null]
}

/** Whose tickets besides one's own: the rules of `explainTicket` for a kind of ticket. */
function selectColleagues(viewer: Viewer, settings: AccessSettings, kind: Kind): 'all' | 'attendants' | 'none' {
  if (viewer.profile === 'admin') return 'all'
  const below = settings.hierarchy ? 'attendants' : 'all'
  if (viewer.profile === 'gerente') return below
  if (kind.isGroup) return settings.groupPerUser ? 'none' : below
  if (kind.status === 'closed') return settings.userClosedQueues ? below : 'none'
  return settings.userShowAll ? below : 'none'
}
