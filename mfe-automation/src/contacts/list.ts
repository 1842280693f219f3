// The contacts as the server lists and finds them.
import type { Contact } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { contactSearchOf, folded, isContactFound } from '@balcao/contract/search'
import { api } from '@balcao/ui/api'
import { allOf, live } from '@balcao/ui/live'
import { type LiveRowMeans, type RowQuery, rowEvents } from '@balcao/ui/screens'

/** By name without accents and capitals, then by age. */
export function byName(one: Contact, other: Contact): number {
  const [a, b] = [folded(one.name), folded(other.name)]
  return a < b ? -1 : a > b ? 1 : one.id - other.id
}

/** Of fewer than three letters the server knows nothing: they find everybody. */
export function matches(contact: Contact, { search }: RowQuery): boolean {
  const wanted = wantedIn(search)
  return wanted === undefined || isContactFound(contact, contactSearchOf(wanted))
}

export const CONTACTS: LiveRowMeans<Contact, RowQuery> = {
  start: { search: '' },
  order: byName,
  matches,
  async page({ search }, cursor, signal) {
    const searchParam = wantedIn(search)
    const query = { searchParam, cursor: cursor ?? undefined }
    const { contacts: rows, nextCursor, count } = await api('GET /contacts', { query, signal })
    // How many a search would find nobody counts.
    return { rows, nextCursor, ...(searchParam === undefined && { count }) }
  },
  events: rowEvents('contact'),
  reloads: again =>
    allOf(
      live.on('contact', ({ action }) => action === 'reload' && again()),
      // Who has a tag hears nothing of its name and colour but this.
      live.on('tag', ({ action }) => action !== 'create' && again()),
    ),
}

function wantedIn(search: string): string | undefined {
  const wanted = search.trim()
  return [...wanted].length < LIMITS.searchMinimum ? undefined : wanted
}
