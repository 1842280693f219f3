// The contacts as the server lists and finds them.
import type { Contact } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { foldText, isContactFound, parseContactSearch } from '@balcao/contract/kit/search'
import { api } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { type LiveRowOptions, type RowQuery, subscribeToRows } from '@balcao/ui/screens'

/** By name without accents and capitals, then by age. */
export function compareByName(one: Contact, other: Contact): number {
  const [a, b] = [foldText(one.name), foldText(other.name)]
  return a < b ? -1 : a > b ? 1 : one.id - other.id
}

/** Of fewer than three letters the server knows nothing: they find everybody. */
export function isContactMatch(contact: Contact, { search }: RowQuery): boolean {
  const wanted = getSearchText(search)
  return wanted === undefined || isContactFound(contact, parseContactSearch(wanted))
}

export const CONTACTS: LiveRowOptions<Contact, RowQuery> = {
  start: { search: '' },
  order: compareByName,
  matches: isContactMatch,
  async page({ search }, cursor, signal) {
    const searchParam = getSearchText(search)
    const isFound = searchParam !== undefined
    const query = { searchParam, cursor: cursor ?? undefined, ...(isFound && { count: 'false' }) }
    const { contacts: rows, nextCursor, count } = await api('GET /contacts', { query, signal })
    return { rows, nextCursor, ...(count !== undefined && { count }) }
  },
  async count({ search }, signal) {
    const { count } = await api('GET /contacts/count', { query: { searchParam: getSearchText(search) }, signal })
    return { count, isCapped: count === LIMITS.counted }
  },
  events: subscribeToRows('contact'),
  reloads: again =>
    combineStops(
      live.on('contact', ({ action }) => action === 'reload' && again()),
      // Who has a tag hears nothing of its name and colour but this.
      live.on('tag', ({ action }) => action !== 'create' && again()),
    ),
}

/** What is searched; undefined where everybody is listed. */
export function getSearchText(search: string): string | undefined {
  const wanted = search.trim()
  return [...wanted].length < LIMITS.searchMinimum ? undefined : wanted
}
