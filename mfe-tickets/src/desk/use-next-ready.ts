import { useEffect } from 'react'
import { desk } from './desk.ts'
import { makeReady } from './make-ready.ts'

const IDLE_MS = 300

/** While a conversation is read, the messages of the next one in the list are fetched: who goes down the list does not wait. */
export function useNextReady(ticketId: number | null) {
  useEffect(() => {
    if (ticketId === null) return
    const timer = setTimeout(() => {
      const { tickets, shown } = desk()
      if (!shown.list) return
      const { ids } = tickets.list(shown.list)
      const next = ids[ids.indexOf(ticketId) + 1]
      if (ids.includes(ticketId) && next !== undefined) void makeReady(next)
    }, IDLE_MS)
    return () => clearTimeout(timer)
  }, [ticketId])
}
