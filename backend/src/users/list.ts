// The team, by name. The owner (user 1) is hidden from everybody else (decisions §1).
import { type AnswerOf, LIMITS, type QueryOf } from '@balcao/contract'
import { and, isNull, ne } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { behind, foundIn, needle, pageBounds, pageOf } from '../http/paging.ts'
import type { Session } from '../sessions/authenticate.ts'
import { forColleagues, loadUsers } from './present.ts'
import { users } from './table.ts'

/** A page of the team; a search takes at least 3 characters (spec 1 §5). E-mails only for administrators and for oneself. Throws `ERR_VALIDATION`. */
export async function listUsers(
  db: Db,
  config: Config,
  { viewer }: Session,
  query: QueryOf<'GET /users'>,
): Promise<AnswerOf<'GET /users'>> {
  const bounds = pageBounds(query, LIMITS.rowsPage, 2000)
  const search = needle('searchParam', query.searchParam)
  const { id, name, deletedAt } = users
  const matching = and(
    isNull(deletedAt),
    viewer.id === 1 ? undefined : ne(id, 1),
    search === null ? undefined : foundIn(name, search),
  )
  const rows = await db
    .select({ id, name })
    .from(users)
    .where(and(matching, behind(name, id, bounds)))
    .orderBy(name, id)
    .offset(bounds.skip)
    .limit(bounds.limit + 1)
  const { ids, ...page } = pageOf(rows, bounds.limit, row => row.name)
  const team = await loadUsers(db, config, ids)
  return {
    users: team.map(user => (viewer.profile === 'admin' || user.id === viewer.id ? user : forColleagues(user))),
    count: await db.$count(users, matching),
    ...page,
  }
}
