import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { getStores } from '../desk/stores.ts'
import { checkSearch, isMessageSearch, toMessageQuery, toSearchKey, toSearchQuery } from './search-request.ts'
import {
  joinFound,
  keepFound,
  NONE_FOUND,
  type SearchRequest,
  type SearchResult,
  search,
  toResultRows,
} from './search-store.ts'

/** So many rows fill the screen; until then, and no more often than this, a search goes on by itself. */
const ENOUGH = 20
const MOST_WALKS = 5

/**
 * The answer to what is asked, half a second after the last change (spec 1 §2); null while it is on its way. What was found before is
 * shown at once, and asked for again: messages come in meanwhile.
 */
export function useFound(request: SearchRequest): { readonly found: SearchResult | null; readonly again: () => void } {
  const found = useSnapshot(search).found
  const [round, setRound] = useState(0)
  const key = toSearchKey(request)
  const ready = checkSearch(request) === 'ready'
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each question, and again when it is wanted
  useEffect(() => {
    if (!ready) return
    const stop = new AbortController()
    const findEarlier = () => (round === 0 && search.found?.key === key ? search.found : null)
    const ask = async () => {
      try {
        const newest = await findFurther(request, { ...NONE_FOUND, key }, stop.signal)
        keepFound(joinFound(newest, findEarlier()))
      } catch (error) {
        const earlier = findEarlier()
        if (!stop.signal.aborted && !(earlier && toResultRows(earlier).length > 0))
          keepFound({ ...NONE_FOUND, key, error })
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

/** What was found and what comes behind it: as many pages as fill the screen, or one where that was full before. */
export async function findFurther(
  request: SearchRequest,
  before: SearchResult,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const ask = isMessageSearch(request) ? askMessages : askConversations
  let found = before
  for (let walk = 0; walk < MOST_WALKS; walk++) {
    const page = await ask(request, found.next, signal)
    found = {
      ...found,
      ...page,
      tickets: [...new Set([...found.tickets, ...page.tickets])],
      hits: [...found.hits, ...page.hits],
    }
    const added = found.tickets.length + found.hits.length - before.tickets.length - before.hits.length
    if (!found.next || added >= ENOUGH) break
  }
  return found
}

type FoundPage = Pick<SearchResult, 'tickets' | 'hits' | 'next' | 'searchedTo' | 'isCut'>

async function askConversations(request: SearchRequest, next: string | null, signal?: AbortSignal): Promise<FoundPage> {
  const query = { ...toSearchQuery(request), ...(next ? { cursor: next } : {}) }
  const page = await api('GET /tickets/filter', { query, signal })
  for (const ticket of page.tickets) getStores().tickets.take(ticket)
  const hitIds = new Set(page.hits.map(hit => hit.ticketId))
  const tickets = page.tickets.map(ticket => ticket.id).filter(id => page.named.includes(id) || !hitIds.has(id))
  const { hits, nextCursor, searchedTo, count } = page
  return { tickets, hits, next: nextCursor, searchedTo, isCut: count >= LIMITS.searchResults }
}

async function askMessages(request: SearchRequest, next: string | null, signal?: AbortSignal): Promise<FoundPage> {
  const query = { ...toMessageQuery(request), ...(next ? { cursor: next } : {}) }
  const page = await api('GET /tickets/messages', { query, signal })
  for (const ticket of page.tickets) getStores().tickets.take(ticket)
  const { hits, nextCursor, searchedTo } = page
  return { tickets: [], hits, next: nextCursor, searchedTo, isCut: false }
}
