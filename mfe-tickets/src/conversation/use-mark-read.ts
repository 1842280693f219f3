import type { Ticket } from '@balcao/contract'
import { useUser } from '@balcao/ui/session'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { server } from '../server.ts'

/**
 * Marks the customer's messages as read, only when they are: the ticket is open and mine, the page is seen, and the
 * newest message is in view.
 */
export function useMarkRead(ticket: Ticket, newestInView: boolean) {
  const user = useUser()
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const [failed, setFailed] = useState(0)
  const due =
    ticket.unreadMessages > 0 && ticket.status === 'open' && ticket.userId === user.id && visible && newestInView
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further unread message is marked too
  useEffect(() => {
    if (!due) return
    let timer: ReturnType<typeof setTimeout> | undefined
    server.read(ticket.id).catch(() => {
      timer = setTimeout(() => setFailed(failed + 1), 5000)
    })
    return () => clearTimeout(timer)
  }, [due, ticket.id, ticket.unreadMessages, failed])
}

function onVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  window.addEventListener('focus', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    window.removeEventListener('focus', listener)
  }
}
