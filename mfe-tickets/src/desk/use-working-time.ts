import { useEffect } from 'react'
import { conversationOf } from '../conversation/conversation-store.ts'
import { server } from '../server.ts'
import { desk } from './desk.ts'

const IDLE_MS = 300

/**
 * A conversation that is held, or was fetched ahead, opens without asking anybody. Once it stands the server is asked for its
 * ticket, so that opening it outside of the working time ends the session as it does with any other (spec 1 §4).
 */
export function useWorkingTime(ticketId: number | null) {
  useEffect(() => {
    // What is still on its way was asked for just now.
    if (ticketId === null || conversationOf(ticketId).view().status !== 'ready') return
    const timer = setTimeout(() => {
      desk()
        .tickets.fetch(() => server.ticket(ticketId))
        // A session that is over ends by itself; what else went wrong is told where the conversation is used.
        .catch(() => undefined)
    }, IDLE_MS)
    return () => clearTimeout(timer)
  }, [ticketId])
}
