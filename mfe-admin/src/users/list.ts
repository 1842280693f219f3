// The rows of the page of users: with their e-mails opened, found as the server finds them, kept by live events.
import type { LiveEventOf, User } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { byText, foundIn, type RowChange } from '@balcao/ui/rows'
import type { LiveRowMeans, RowQuery } from '@balcao/ui/screens'
import { opened } from '@balcao/ui/wire'

/** A member of the team; `address`: the e-mail as people read it, empty where the browser cannot open it. */
export interface Person extends User {
  readonly address: string
}

const byName = foundIn<Person>(({ name }) => [name])

/** By name, or by the whole e-mail: parts of it nobody can look for, it lies encrypted. */
export function matches(person: Person, query: RowQuery): boolean {
  const search = query.search.trim()
  return /^\S+@\S+$/.test(search) ? person.address.toLowerCase() === search.toLowerCase() : byName(person, query)
}

export async function personOf(user: User): Promise<Person> {
  return { ...user, address: await opened(user.email) }
}

export const USERS: LiveRowMeans<Person, RowQuery> = {
  start: { search: '' },
  order: byText(({ name }) => name),
  matches,
  async page(asked, cursor, signal) {
    const { search } = asked
    // The server looks for no fewer letters; all people are not many.
    const isShort = search !== '' && [...search].length < LIMITS.searchMinimum
    const query = isShort ? { all: 'true' } : { searchParam: search || undefined, cursor: cursor ?? undefined }
    const { users, ...end } = await api('GET /users', { query, signal })
    const rows = await Promise.all(users.map(personOf))
    if (!isShort) return { rows, ...end }
    const found = rows.filter(person => matches(person, asked))
    return { rows: found, nextCursor: null, count: found.length }
  },
  events: take => live.on('user', event => void changeOf(event).then(take)),
}

/** Of two that come in another order than they went out the version decides. */
async function changeOf(event: LiveEventOf<'user'>): Promise<RowChange<Person>> {
  if (event.action === 'delete') return { gone: event.userId, version: event.version }
  return { put: await personOf(event.user), isNew: event.action === 'create' }
}
