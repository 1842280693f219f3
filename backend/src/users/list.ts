// The team, by name. The owner (user 1) is hidden from everybody else (decisions §1).
import { type AnswerOf, LIMITS, type QueryOf } from '@balcao/contract'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { cursorAfter, pageBounds } from '../http/paging.ts'
import type { Session } from '../sessions/authenticate.ts'
import { needle, pattern } from '../tickets/search.ts'
import { forColleagues, loadUsers } from './present.ts'

/** A page of the team; a search takes at least 3 characters (spec 1 §5). E-mails only for administrators and for oneself. Throws `ERR_VALIDATION`. */
export async function listUsers(
  db: Db,
  config: Config,
  { viewer }: Session,
  query: QueryOf<'GET /users'>,
): Promise<AnswerOf<'GET /users'>> {
  const { after, skip, limit } = pageBounds(query, LIMITS.rowsPage, 2000)
  const sql = sqlOf(db)
  const search = needle('searchParam', query.searchParam)
  const matching = sql`u.deleted_at is null and (u.id <> 1 or ${viewer.id} = 1)
    ${search === null ? sql`` : sql`and f_norm(u.name) like f_norm(${pattern(search)}) escape '!'`}`
  const rows = await sql<{ id: number; name: string }[]>`
    select u.id, u.name from "user" u where ${matching}
      ${after ? sql`and (u.name, u.id) > (${after.text}, ${after.id})` : sql``}
    order by u.name, u.id offset ${skip} limit ${limit + 1}`
  const [total] = await sql<{ n: number }[]>`select count(*)::int as n from "user" u where ${matching}`
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = page.at(-1)
  const users = await loadUsers(
    db,
    config,
    page.map(row => row.id),
  )
  return {
    users: users.map(user => (viewer.profile === 'admin' || user.id === viewer.id ? user : forColleagues(user))),
    hasMore,
    count: total?.n ?? 0,
    nextCursor: hasMore && last ? cursorAfter(last.name, last.id) : null,
  }
}
