// The team, by name. The owner (user 1) is hidden from everybody else (decisions §1).
import type { AnswerOf, QueryOf, User } from '@balcao/contract'
import { and, isNull, ne } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { namedPage, needle } from '../http/paging.ts'
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
  needle('searchParam', query.searchParam)
  const { id, name, deletedAt } = users
  const { rows, ...page } = await namedPage(db, query, {
    ...{ table: users, by: name, finds: [name] },
    where: and(isNull(deletedAt), viewer.id === 1 ? undefined : ne(id, 1)),
    load: (_, ids) => loadUsers(db, config, ids),
  })
  const mayKnow = (user: User) => viewer.profile === 'admin' || user.id === viewer.id
  return { users: rows.map(user => (mayKnow(user) ? user : forColleagues(user))), ...page }
}
