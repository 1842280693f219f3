// The choice above the lists, remembered on this device for each person.

import type { Profile, Settings } from '@balcao/contract'
import { canUseArea } from '@balcao/contract/access'
import { remember } from '@balcao/ui/browser'
import { session } from '@balcao/ui/session'
import type { ListFilters } from './is-in-list.ts'

const STORED = 'balcao.tickets.filters'

export function readFilters(userId: number): ListFilters {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(toStorageKey(userId)) ?? 'null')
    if (typeof value !== 'object' || value === null) return { showAll: false, queueIds: null }
    const showAll = 'showAll' in value && value.showAll === true
    const queueIds =
      'queueIds' in value && Array.isArray(value.queueIds)
        ? value.queueIds.filter((id: unknown): id is number => typeof id === 'number')
        : null
    const longestFirst = 'longestFirst' in value && value.longestFirst === true
    const dueFirst = 'dueFirst' in value && value.dueFirst === true
    const onlyUnread = 'onlyUnread' in value && value.onlyUnread === true
    return { showAll, queueIds: queueIds && queueIds.length > 0 ? queueIds : null, longestFirst, dueFirst, onlyUnread }
  } catch {
    return { showAll: false, queueIds: null }
  }
}

export function keepFilters(userId: number, filters: ListFilters) {
  remember(toStorageKey(userId), JSON.stringify(filters))
}

/** What a person may choose now; null while that is not known yet. */
export interface FilterOptions {
  readonly showAll: boolean | null
  readonly queueIds: readonly number[] | null
}

/** The same choice without what is not offered any more: nobody looks at less, or more, than the buttons say. */
export function limitFilters(filters: ListFilters, offered: FilterOptions): ListFilters {
  const { queueIds } = filters
  const left = queueIds?.filter(id => offered.queueIds?.includes(id) ?? true)
  const showAll = filters.showAll && (offered.showAll ?? true)
  if (showAll === filters.showAll && left?.length === queueIds?.length) return filters
  return { ...filters, showAll, queueIds: left && left.length > 0 ? left : null }
}

interface FilterPerson {
  readonly user: { readonly id: number; readonly profile: Profile } | null
  readonly settings: Partial<Settings>
}

/** Whether a person has the 'show all' toggle (spec 1 §6); null while a user's settings are on their way. */
export function canShowAll({ user, settings }: FilterPerson = session): boolean | null {
  if (!user || (user.profile === 'user' && settings.userShowAll === undefined)) return null
  return canUseArea({ id: user.id, profile: user.profile, queueIds: [] }, 'showAll', {
    onlyAdminSeeEmptyQueue: false,
    userClosedQueues: false,
    groupPerUser: false,
    hierarchy: false,
    adminChatInterno: false,
    userShowAll: settings.userShowAll === true,
  })
}

function toStorageKey(userId: number): string {
  return `${STORED}.${userId}`
}
