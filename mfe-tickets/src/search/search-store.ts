// What is searched for and what was found: kept while the person looks into a result and comes back.
import type { MessageHit, QueryOf } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { stateOfSession } from '@balcao/ui/session'
import { ref } from 'valtio'

export interface Asked {
  readonly text: string
  readonly message: string
  readonly contact: string
  readonly queueIds: readonly number[]
  readonly userIds: readonly number[]
  readonly tagId: number | null
  readonly showAll: boolean
}

export interface Found {
  /** The question this answers (`keyOf`). */
  readonly key: string
  /** Tickets to show for themselves; those of `hits` have a row for their message. */
  readonly tickets: readonly number[]
  readonly hits: readonly MessageHit[]
  readonly error: unknown
}

const NOTHING: Asked = { text: '', message: '', contact: '', queueIds: [], userIds: [], tagId: null, showAll: true }

interface Search {
  asked: Asked
  panel: boolean
  found: Found | null
  at: string | null
}

export const search = stateOfSession<Search>(() => ({ asked: NOTHING, panel: false, found: null, at: null }))

export function ask(change: Partial<Asked>) {
  search.asked = { ...search.asked, ...change }
}

export function keepFound(found: Found) {
  search.found = ref(found)
}

/** A row of what was found: a conversation, or a message in one. */
export interface FoundRow {
  readonly key: string
  readonly ticketId: number
  readonly hit?: MessageHit
}

/** The rows in their order: conversations, then messages. */
export function rowsOf({ tickets, hits }: Pick<Found, 'tickets' | 'hits'>): readonly FoundRow[] {
  return [
    ...tickets.map(ticketId => ({ key: `t${ticketId}`, ticketId })),
    ...hits.map(hit => ({ key: `m${hit.messageId}`, ticketId: hit.ticketId, hit })),
  ]
}

/** The row that was opened last, where a step begins; else the one of the open conversation. */
export function stepFrom(rows: readonly FoundRow[], at: string | null, ticketId: number | null, by: 1 | -1) {
  const last = rows.findIndex(row => row.key === at && row.ticketId === ticketId)
  const now = last === -1 ? rows.findIndex(row => row.ticketId === ticketId) : last
  return rows[now === -1 ? 0 : now + by]
}

/** Empties everything but the text in the field above the lists. */
export function clearFilters() {
  search.asked = { ...NOTHING, text: search.asked.text }
}

/** How many of the filters in the panel are set. */
export function filtersSet({ message, contact, queueIds, userIds, tagId, showAll }: Asked): number {
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
export function readiness(asked: Asked): 'nothing' | 'short' | 'ready' {
  const texts = [asked.text, asked.message, asked.contact].map(text => [...text.trim()].length)
  if (texts.some(length => length > 0 && length < LIMITS.searchMinimum)) return 'short'
  const chosen = asked.queueIds.length > 0 || asked.userIds.length > 0 || asked.tagId !== null
  return chosen || texts.some(length => length > 0) ? 'ready' : 'nothing'
}

/** The question as the server takes it (spec 1 §7). */
export function queryOf(asked: Asked): QueryOf<'GET /tickets/filter'> {
  const { queueIds, userIds, tagId } = asked
  const [text, message, contact] = [asked.text.trim(), asked.message.trim(), asked.contact.trim()]
  return {
    showAll: asked.showAll ? 'true' : 'false',
    ...(text === '' ? {} : { searchParam: text }),
    ...(message === '' ? {} : { searchMessage: message }),
    ...(contact === '' ? {} : { searchContact: contact }),
    ...(queueIds.length === 0 ? {} : { queueIds: JSON.stringify(queueIds) }),
    ...(userIds.length === 0 ? {} : { searchUser: JSON.stringify(userIds) }),
    ...(tagId === null ? {} : { searchTag: String(tagId) }),
  }
}

export function keyOf(asked: Asked): string {
  return JSON.stringify(queryOf(asked))
}
