import type { Contact } from '@balcao/contract'
import { isNewer, live } from '@balcao/ui/live'
import { useCallback, useEffect, useState } from 'react'
import { calls } from './calls.ts'

export interface ContactAnswer {
  readonly contact: Contact | null
  readonly error: unknown
  readonly again: () => void
  /** Takes a newer copy, from an answer. */
  readonly take: (contact: Contact) => void
}

/** A contact, kept right by live events. */
export function useContact(id: number): ContactAnswer {
  const [contact, setContact] = useState<Contact | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const take = useCallback((next: Contact) => {
    setContact(now => (now === null || now.id !== next.id || isNewer(now, next) ? next : now))
    setError(null)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks once more
  useEffect(() => {
    let left = false
    calls
      .contact(id)
      .then(found => !left && take(found))
      .catch((failed: unknown) => !left && setError(failed))
    return () => {
      left = true
    }
  }, [id, take, round])

  useEffect(() => {
    const stops = [
      live.on('contact', event => {
        if (event.action !== 'delete' && event.contact.id === id) take(event.contact)
      }),
      live.onReset(() => setRound(now => now + 1)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [id, take])
  return { contact, error, take, again: () => setRound(round + 1) }
}
