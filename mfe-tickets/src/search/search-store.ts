// What is searched for and what was found: kept while the person looks into a result and comes back.
import type { MessageHit, QueryParams } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { keepSessionState } from '@balcao/ui/session'
import { ref } from 'valtio'

export interface SearchRequest {
  readonly text: string
  readonly message: string
  readonly contact: string
  readonly queueIds: readonly number[]
  readonly userIds: readonly number[]
  readonly tagId: number | null
  readonly showAll: boolean
}

export interface SearchResult {
  /** The question this answers (`toSearchKey`). */
  readonly key: string
  /** Tickets to show for themselves; those of `hits` have a row for their message. */
  readonly tickets: readonly number[]
  readonly hits: readonly MessageHit[]
  readonly error: unknown
}

const NOTHING: SearchRequest = {
  text: '',
  message: '',
  contact: '',
  queueIds: [],
  userIds: [],
  tagId: null,
  showAll: true,
}

interface Search {
  asked: SearchRequest
  panel: boolean
  found: SearchResult | null
  at: string | null
}

export const search = keepSessionState<Search>(() => ({ asked: NOTHING, panel: false, found: null, at: null }))

export function ask(change: Partial<SearchRequest>) {
  search.asked = { ...search.asked, ...change }
}

export function keepFound(found: SearchResult) {
  search.found = ref(found)
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

/** Empties everything but the text in the field above the lists. */
export function clearFilters() {
  search.asked = { ...NOTHING, text: search.asked.text }
}

/** How many of the filters in the panel are set. */
export function countSearchFilters({ message, contact, queueIds, userIds, tagId, showAll }: SearchRequest): number {
  const set = [
    message.trim() !== '',
    contact.trim() !== '',
    queueIds.length > 0,
    userIds.length > 0,
    tagId !== null,
    !showAll,
  ]
  return set.filter(Boolean).length
}

/** Whether there is something to look for, and every text is long enough for it (spec 1 §5). */
export function checkSearch(request: SearchRequest): 'nothing' | 'short' | 'ready' {
  const texts = [request.text, request.message, request.contact].map(text => [...text.trim()].length)
  if (texts.some(length => length > 0 && length < LIMITS.searchMinimum)) return 'short'
  const chosen = request.queueIds.length > 0 || request.userIds.length > 0 || request.tagId !== null
  return chosen || texts.some(length => length > 0) ? 'ready' : 'nothing'
}

/** The question as the server takes it (spec 1 §7). */
export function toSearchQuery(request: SearchRequest): QueryParams<'GET /tickets/filter'> {
  const { queueIds, userIds, tagId } = request
  const [text, message, contact] = [request.text.trim(), request.message.trim(), request.contact.trim()]
  return {
    showAll: request.showAll ? 'true' : 'false',
    ...(text === '' ? {} : { searchParam: text }),
    ...(message === '' ? {} : { searchMessage: message }),
    ...(contact === '' ? {} : { searchContact: contact }),
    ...(queueIds.length === 0 ? {} : { queueIds: JSON.stringify(queueIds) }),
    ...(userIds.length === 0 ? {} : { searchUser: JSON.stringify(userIds) }),
    ...(tagId === null ? {} : { searchTag: String(tagId) }),
  }
}

export function toSearchKey(request: SearchRequest): string {
  return JSON.stringify(toSearchQuery(request))
}
