// The stores as hooks: each draws again only what it reads.
import type { Ticket, TicketCounts } from '@balcao/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { desk } from '../desk/desk.ts'
import type { ListName } from './belongs-to.ts'
import type { ListView } from './ticket-store.ts'
import type { TypingState } from './typing.ts'

export function useTicket(id: number): Ticket | undefined {
  const { tickets } = desk()
  return useSyncExternalStore(
    useCallback(listener => tickets.onTicket(id, listener), [tickets, id]),
    () => tickets.ticket(id),
  )
}

export function useList(name: ListName): ListView {
  const { tickets } = desk()
  return useSyncExternalStore(
    useCallback(listener => tickets.onList(name, listener), [tickets, name]),
    () => tickets.list(name),
  )
}

export function useCounts(): TicketCounts | null {
  const { tickets } = desk()
  return useSyncExternalStore(
    useCallback(listener => tickets.onList('counts', listener), [tickets]),
    tickets.counts,
  )
}

export function useTyping(ticketId: number): TypingState | null {
  const { typing } = desk()
  return useSyncExternalStore(
    useCallback(listener => typing.on(ticketId, listener), [typing, ticketId]),
    () => typing.of(ticketId),
  )
}
