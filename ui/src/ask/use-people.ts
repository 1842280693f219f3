import type { Tag, User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type QueryResult, useQuery } from './use-query.ts'

type QueryHandlers = Parameters<typeof useQuery>[2]

/** Everybody of the team, to choose from. `wanted` false asks nothing. */
export function usePeople(handlers?: QueryHandlers, wanted = true): QueryResult<readonly User[]> {
  const ask = async (signal: AbortSignal) => (await api('GET /users', { query: { all: 'true' }, signal })).users
  return useQuery(wanted ? 'people' : null, ask, handlers)
}

/** All tags, to choose from. */
export function useTags(handlers?: QueryHandlers): QueryResult<readonly Tag[]> {
  return useQuery('tags', signal => api('GET /tag', { signal }), handlers)
}
