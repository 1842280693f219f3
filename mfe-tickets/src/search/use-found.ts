import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { getStores } from '../desk/stores.ts'
import { checkSearch, isMessageSearch, toMessageQuery, toSearchKey, toSearchQuery } from './search-request.ts'
import { keepFound, type SearchRequest, type SearchResult, search } from './search-store.ts'

/** So many messages fill the screen; until then, and no more often than this, a walk through messages goes on by itself. */
const ENOUGH = 20
const MOST_WALKS = 5

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
        keepFound(await (isMessageSearch(request) ? findMessages : findConversations)(request, stop.signal))
      } catch (error) {
        if (!stop.signal.aborted) keepFound({ key, tickets: [], hits: [], error, next: null, searchedTo: null })
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

async function findConversations(request: SearchRequest, signal: AbortSignal): Promise<SearchResult> {
  const { tickets, hits, named } = await api('GET /tickets/filter', { query: toSearchQuery(request), signal })
  for (const ticket of tickets) getStores().tickets.take(ticket)
  const hitIds = new Set(hits.map(hit => hit.ticketId))
  const ids = tickets.map(ticket => ticket.id).filter(id => named.includes(id) || !hitIds.has(id))
  return { key: toSearchKey(request), tickets: ids, hits, error: null, next: null, searchedTo: null }
}

/** Further messages, behind those that were found. */
export async function findMessages(
  request: SearchRequest,
  signal?: AbortSignal,
  before?: SearchResult,
): Promise<SearchResult> {
  const query = toMessageQuery(request)
  const hits = [...(before?.hits ?? [])]
  let next = before?.next ?? null
  let searchedTo: string | null = null
  for (let walk = 0, found = 0; walk < MOST_WALKS && found < ENOUGH; walk++) {
    const page = await api('GET /tickets/messages', { query: { ...query, ...(next ? { cursor: next } : {}) }, signal })
    for (const ticket of page.tickets) getStores().tickets.take(ticket)
    hits.push(...page.hits)
    found += page.hits.length
    ;({ nextCursor: next, searchedTo } = page)
    if (!next) break
  }
  return { key: toSearchKey(request), tickets: [], hits, error: null, next, searchedTo }
}
