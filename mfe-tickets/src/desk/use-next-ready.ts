import { useEffect } from 'react'
import { conversationOf } from '../conversation/conversation-store.ts'
import { desk } from './desk.ts'

const IDLE_MS = 300

/** While a conversation is read, the messages of the next one in the list are fetched: who goes down the list does not wait. */
export function useNextReady(ticketId: number | null) {
  useEffect(() => {
    if (ticketId === null) return
    const timer = setTimeout(() => {
      const { tickets, shown } = desk()
      const ids = shown.list ? tickets.list(shown.list).ids : []
      // What has left the table meanwhile is not asked for.
      const next = ids.includes(ticketId) ? tickets.ticket(ids[ids.indexOf(ticketId) + 1] ?? 0) : undefined
      if (next) void conversationOf(next.id).fetchAhead(next.unreadMessages)
    }, IDLE_MS)
    return () => clearTimeout(timer)
  }, [ticketId])
}
