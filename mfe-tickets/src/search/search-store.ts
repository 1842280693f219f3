// What is searched for and what was found: kept while the person looks into a result and comes back.
import type { MessageHit, SearchKind } from '@balcao/contract'
import type { Period } from '@balcao/contract/calendar/period-words'
import { keepSessionState } from '@balcao/ui/session'
import { ref } from 'valtio'

export type SearchStatus = 'pending' | 'open' | 'paused' | 'closed'

export interface SearchRequest {
  readonly text: string
  readonly message: string
  readonly contact: string
  readonly queueIds: readonly number[]
  readonly userIds: readonly number[]
  readonly tagId: number | null
  readonly showAll: boolean
  /** What follows asks for messages. `words` is what the period is called. */
  readonly period: (Period & { readonly words: string }) | null
  readonly kind: SearchKind | null
  readonly author: { readonly id: number | 'contact'; readonly name: string } | null
  readonly status: SearchStatus | null
  /** The period at the end of the text that is looked for as words, as long as it stands there. */
  readonly plain: string
}

export interface SearchResult {
  /** The question this answers (`toSearchKey`). */
  readonly key: string
  /** Tickets to show for themselves; those of `hits` have a row for their message. */
  readonly tickets: readonly number[]
  readonly hits: readonly MessageHit[]
  readonly error: unknown
  /** Where more may be, and how far back has been looked, where that is not all. */
  readonly next: string | null
  readonly searchedTo: string | null
  /** There are more, which only a narrower question shows. */
  readonly isCut: boolean
}

export const NONE_FOUND: Omit<SearchResult, 'key'> = {
  tickets: [],
  hits: [],
  error: null,
  next: null,
  searchedTo: null,
  isCut: false,
}

export const NOTHING: SearchRequest = {
  text: '',
  message: '',
  contact: '',
  queueIds: [],
  userIds: [],
  tagId: null,
  showAll: true,
  period: null,
  kind: null,
  author: null,
  status: null,
  plain: '',
}

interface Search {
  asked: SearchRequest
  panel: boolean
  found: SearchResult | null
  at: string | null
}

export const search = keepSessionState<Search>(() => ({ asked: NOTHING, panel: false, found: null, at: null }))

export function ask(change: Partial<SearchRequest>) {
  const request = { ...search.asked, ...change }
  search.asked = request.text.replace(/\s+/g, ' ').includes(request.plain) ? request : { ...request, plain: '' }
}

export function keepFound(found: SearchResult) {
  search.found = ref(found)
}

/** The first pages as they are now, and behind them what one had seen further down, unless something may lie between. */
export function joinFound(newest: SearchResult, earlier: SearchResult | null): SearchResult {
  if (newest.next === null || earlier === null) return newest
  const known = new Set(newest.hits.map(hit => hit.messageId))
  const isEmpty = newest.hits.length + newest.tickets.length === 0
  const isTouching =
    earlier.hits.some(hit => known.has(hit.messageId)) || earlier.tickets.some(id => newest.tickets.includes(id))
  if (!isEmpty && !isTouching) return newest
  return {
    ...(earlier.error ? newest : earlier),
    tickets: [...new Set([...newest.tickets, ...earlier.tickets])],
    hits: [...newest.hits, ...earlier.hits.filter(hit => !known.has(hit.messageId))],
  }
}

/** A row of what was found: a conversation, or a message in one. */
export interface SearchResultRow {
  readonly key: string
  readonly ticketId: number
  readonly hit?: MessageHit
}

/** The rows in their order: conversations, then messages. */
export function toResultRows({ tickets, hits }: Pick<SearchResult, 'tickets' | 'hits'>): readonly SearchResultRow[] {
  return [
    ...tickets.map(ticketId => ({ key: `t${ticketId}`, ticketId })),
    ...hits.map(hit => ({ key: `m${hit.messageId}`, ticketId: hit.ticketId, hit })),
  ]
}

/** The row that was opened last, where a step begins; else the one of the open conversation. */
export function stepToRow(rows: readonly SearchResultRow[], at: string | null, ticketId: number | null, by: 1 | -1) {
  const last = rows.findIndex(row => row.key === at && row.ticketId === ticketId)
  const now = last === -1 ? rows.findIndex(row => row.ticketId === ticketId) : last
  return rows[now === -1 ? 0 : now + by]
}

/** How many of the filters are set, in the panel or as chips. */
export function countSearchFilters(request: SearchRequest): number {
  const { message, contact, queueIds, userIds, showAll, tagId, period, kind, author, status } = request
  const lists = [message.trim(), contact.trim(), queueIds, userIds].filter(each => each.length > 0).length
  return lists + [tagId, period, kind, author, status].filter(each => each !== null).length + (showAll ? 0 : 1)
}
