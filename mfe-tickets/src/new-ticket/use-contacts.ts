import type { Contact } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { api } from '@balcao/ui/api'
import { useEffect, useState } from 'react'

export interface Found {
  readonly for: string
  readonly contacts: readonly Contact[]
  readonly error: unknown
}

/** Contacts by name or number: from three characters, half a second after the last key (spec 1 §5). Null while the answer is on its way. */
export function useContacts(text: string): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  const search = text.trim()
  useEffect(() => {
    if (search.length < LIMITS.searchMinimum) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      api('GET /contacts', { query: { searchParam: search }, signal: stop.signal }).then(
        ({ contacts }) => setFound({ for: search, contacts, error: null }),
        (error: unknown) => {
          if (!stop.signal.aborted) setFound({ for: search, contacts: [], error })
        },
      )
    }, LIMITS.searchDebounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [search])
  return found?.for === search ? found : null
}
