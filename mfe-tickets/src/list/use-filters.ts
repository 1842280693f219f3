// The choice above the lists, and what of it is offered to this person now.
import type { QueueBrief } from '@balcao/contract'
import { useSession, useUser } from '@balcao/ui/session'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useLookups } from '../desk/lookups.ts'
import { getStores } from '../desk/stores.ts'
import { canShowAll, keepFilters, limitFilters } from '../tickets/filters.ts'
import type { ListFilters } from '../tickets/is-in-list.ts'

export interface Filters {
  readonly filters: ListFilters
  readonly choose: (filters: ListFilters) => void
  /** Whether this person has the 'show all' toggle (spec 1 §6). */
  readonly mayShowAll: boolean
  readonly queues: readonly QueueBrief[]
}

/** A queue that is taken away, or a toggle that goes, takes its choice along: also while it is looked at. */
export function useFilters(): Filters {
  const { tickets } = getStores()
  const user = useUser()
  const { queues, ready } = useOfferedQueues()
  const offersAll = canShowAll(useSession())
  const filters = useSyncExternalStore(tickets.onFilters, () => tickets.filters)

  function choose(next: ListFilters) {
    keepFilters(user.id, next)
    tickets.refilter(next)
  }
  useEffect(() => {
    void tickets.refreshCounts()
  }, [tickets])
  useEffect(() => tickets.offerShowAll(offersAll === true), [tickets, offersAll])
  useEffect(() => {
    const next = limitFilters(filters, { showAll: offersAll, queueIds: ready ? queues.map(({ id }) => id) : null })
    if (next !== filters) choose(next)
  })
  return { filters, choose, mayShowAll: offersAll === true, queues }
}

/** The queues this person serves; all for an administrator. `ready`: they are known. */
export function useOfferedQueues() {
  const user = useUser()
  const { queues, ready } = useLookups()
  return useMemo(() => {
    const own = new Set(user.queues.map(queue => queue.id))
    return { queues: queues.filter(queue => user.profile === 'admin' || own.has(queue.id)), ready }
  }, [user, queues, ready])
}
