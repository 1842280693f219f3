// The stores as hooks: each draws again only what it reads.
import type { Ticket, TicketCounts } from '@balcao/contract'
import { useMemo, useSyncExternalStore } from 'react'
import { getStores } from '../desk/stores.ts'
import type { ListName } from './is-in-list.ts'
import { useKnown } from './signals.ts'
import type { TicketListView } from './ticket-store.ts'

export function useTicket(id: number): Ticket | undefined {
  return useKnown(getStores().tickets.single, id)
}

/** Several tickets; those that are gone are left out. The same array as long as none of them changed. */
export function useTickets(ids: readonly number[]): readonly Ticket[] {
  const { tickets } = getStores()
  const key = ids.join()
  const read = useMemo(() => {
    const wanted = key === '' ? [] : key.split(',').map(Number)
    let known: readonly Ticket[] = []
    return {
      subscribe(listener: () => void) {
        const stops = wanted.map(id => tickets.onTicket(id, listener))
        return () => {
          for (const stop of stops) stop()
        }
      },
      now() {
        const next = wanted.flatMap(id => tickets.ticket(id) ?? [])
        if (next.length !== known.length || next.some((ticket, at) => ticket !== known[at])) known = next
        return known
      },
    }
  }, [tickets, key])
  return useSyncExternalStore(read.subscribe, read.now)
}

export function useList(name: ListName): TicketListView {
  return useKnown(getStores().tickets.lists, name)
}

export function useCounts(): TicketCounts | null {
  const { tickets } = getStores()
  return useSyncExternalStore(tickets.onCounts, tickets.counts)
}

export function useTyping(ticketId: number): string | null {
  return useKnown(getStores().typing, ticketId)
}
