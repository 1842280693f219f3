import { useEffect } from 'react'
import { getConversation } from '../conversation/conversation-store.ts'
import { server } from '../server.ts'
import { getStores } from './stores.ts'

const IDLE_MS = 300

/**
 * While a conversation is read, the messages of the next one in the list are fetched: who goes down the list does not wait. One that was
 * held, or was fetched ahead like that, opens without asking anybody: the server is asked for its ticket, so that opening it outside of
 * the working time ends the session as it does with any other (spec 1 §4).
 */
export function useOnceOpen(ticketId: number | null) {
  useEffect(() => {
    if (ticketId === null) return
    // What is still on its way was asked for just now.
    const wasHeld = getConversation(ticketId).view().status === 'ready'
    const timer = setTimeout(() => {
      const { tickets, shown } = getStores()
      // A session that is over ends by itself; what else went wrong is told where the conversation is used.
      if (wasHeld) tickets.fetch(() => server.ticket(ticketId)).catch(() => undefined)
      const ids = shown.list ? tickets.list(shown.list).ids : []
      // What has left the table meanwhile is not asked for.
      const next = ids.includes(ticketId) ? tickets.ticket(ids[ids.indexOf(ticketId) + 1] ?? 0) : undefined
      if (next) void getConversation(next.id).fetchAhead(next.unreadMessages)
    }, IDLE_MS)
    return () => clearTimeout(timer)
  }, [ticketId])
}
