// The rows of the page of users: with their e-mails opened, found as the server finds them, kept by live events.
import type { NamedLiveEvent, User } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { api } from '@balcao/ui/api'
import { live } from '@balcao/ui/live'
import { compareByText, makeTextMatcher, type RowChange } from '@balcao/ui/rows'
import type { LiveRowOptions, RowQuery } from '@balcao/ui/screens'
import { openText } from '@balcao/ui/wire'

/** A member of the team; `address`: the e-mail as people read it, empty where the browser cannot open it. */
export interface TeamMember extends User {
  readonly address: string
}

const byName = makeTextMatcher<TeamMember>(({ name }) => [name])

/** By name, or by the whole e-mail: parts of it nobody can look for, it lies encrypted. */
export function isPersonMatch(person: TeamMember, query: RowQuery): boolean {
  const search = query.search.trim()
  return /^\S+@\S+$/.test(search) ? person.address.toLowerCase() === search.toLowerCase() : byName(person, query)
}

export async function toPerson(user: User): Promise<TeamMember> {
  return { ...user, address: await openText(user.email) }
}

export const USERS: LiveRowOptions<TeamMember, RowQuery> = {
  start: { search: '' },
  order: compareByText(({ name }) => name),
  matches: isPersonMatch,
  async page(asked, cursor, signal) {
    const { search } = asked
    // The server looks for no fewer letters; all people are not many.
    const isShort = search !== '' && [...search].length < LIMITS.searchMinimum
    const query = isShort ? { all: 'true' } : { searchParam: search || undefined, cursor: cursor ?? undefined }
    const { users, ...end } = await api('GET /users', { query, signal })
    const rows = await Promise.all(users.map(toPerson))
    if (!isShort) return { rows, ...end }
    const found = rows.filter(person => isPersonMatch(person, asked))
    return { rows: found, nextCursor: null, count: found.length }
  },
  events: take => live.on('user', event => void toRowChange(event).then(take)),
}

/** Of two that come in another order than they went out the version decides. */
async function toRowChange(event: NamedLiveEvent<'user'>): Promise<RowChange<TeamMember>> {
  if (event.action === 'delete') return { gone: event.userId, version: event.version }
  return { put: await toPerson(event.user), isNew: event.action === 'create' }
}
