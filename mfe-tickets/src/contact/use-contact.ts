import type { Contact } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { combineStops, createThrottle, isNewer, live } from '@balcao/ui/live'
import { useCallback, useEffect, useState } from 'react'

export interface ContactAnswer {
  readonly contact: Contact | null
  readonly error: unknown
  readonly again: () => void
  /** Takes a newer copy, from an answer. */
  readonly take: (contact: Contact) => void
}

/** Many contacts change at once. */
const LOOK_MS = 3000

/** A contact, kept right by live events. */
export function useContact(id: number): ContactAnswer {
  const { last, error, again } = useQuery(id, () => api('GET /contacts/:id', { params: { id } }))
  const [contact, setContact] = useState<Contact | null>(null)
  const take = useCallback((next: Contact) => {
    setContact(now => (now === null || now.id !== next.id || isNewer(now, next) ? next : now))
  }, [])
  useEffect(() => {
    if (last) take(last)
  }, [last, take])
  useEffect(() => {
    const { ask: later, stop } = createThrottle(again, LOOK_MS)
    const heard = live.on('contact', event => {
      if (event.action === 'reload') later()
      else if (event.action !== 'delete' && event.contact.id === id) take(event.contact)
    })
    return combineStops(heard, live.onReset(again), stop)
  }, [id, take, again])
  return { contact, error, take, again }
}
