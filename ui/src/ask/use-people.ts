import type { Tag, User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type Asked, useAsked } from './use-asked.ts'

type Means = Parameters<typeof useAsked>[2]

/** Everybody of the team, to choose from. `wanted` false asks nothing. */
export function usePeople(means?: Means, wanted = true): Asked<readonly User[]> {
  const ask = async (signal: AbortSignal) => (await api('GET /users', { query: { all: 'true' }, signal })).users
  return useAsked(wanted ? 'people' : null, ask, means)
}

/** All tags, to choose from. */
export function useTags(means?: Means): Asked<readonly Tag[]> {
  return useAsked('tags', signal => api('GET /tag', { signal }), means)
}
