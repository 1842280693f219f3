import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { getStores } from '../desk/stores.ts'
import {
  checkSearch,
  keepFound,
  type SearchRequest,
  type SearchResult,
  search,
  toSearchKey,
  toSearchQuery,
} from './search-store.ts'

/** The answer to what is asked, half a second after the last change (spec 1 §2); null while it is on its way. */
export function useFound(request: SearchRequest): { readonly found: SearchResult | null; readonly again: () => void } {
  const found = useSnapshot(search).found
  const [round, setRound] = useState(0)
  const key = toSearchKey(request)
  const ready = checkSearch(request) === 'ready'
  const known = search.found?.key === key && search.found.error === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each question, and again when it is wanted
  useEffect(() => {
    if (!ready || (known && round === 0)) return
    const stop = new AbortController()
    const ask = async () => {
      try {
        const { tickets, hits, named } = await api('GET /tickets/filter', {
          query: toSearchQuery(request),
          signal: stop.signal,
        })
        for (const ticket of tickets) getStores().tickets.take(ticket)
        const hitIds = new Set(hits.map(hit => hit.ticketId))
        const ids = tickets.map(ticket => ticket.id).filter(id => named.includes(id) || !hitIds.has(id))
        keepFound({ key, tickets: ids, hits, error: null })
      } catch (error) {
        if (!stop.signal.aborted) keepFound({ key, tickets: [], hits: [], error })
      }
    }
    const timer = setTimeout(() => void ask(), LIMITS.searchDebounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, ready, round])
  // After a live reset the desk has forgotten tickets that only stand here.
  useEffect(() => live.onReset(() => setRound(now => now + 1)), [])
  return { found: found?.key === key ? found : null, again: () => setRound(now => now + 1) }
}
