// The team, by name. The owner (user 1) is hidden from everybody else (decisions §1).
import type { QueryParams, ResponseBody, User, UserDetails, Viewer } from '@balcao/contract'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { loadNamedPage, parseSearchText } from '../../platform/http/paging.ts'
import { hashEmail } from '../../platform/seal.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadUsers, toColleagueView } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'

/**
 * A page of the team; a search takes at least 3 characters (spec 1 §5). E-mails only for administrators and for oneself, and found
 * by administrators alone, as a whole: they lie encrypted. Throws `ERR_VALIDATION`.
 */
export async function listUsers(
  db: Db,
  config: Config,
  { viewer }: Session,
  query: QueryParams<'GET /users'>,
): Promise<ResponseBody<'GET /users'>> {
  const search = parseSearchText('searchParam', query.searchParam)
  const { id, name, deletedAt } = users
  const seen = and(isNull(deletedAt), viewer.id === 1 ? undefined : ne(id, 1))
  const isEmail = viewer.profile === 'admin' && search !== null && /^\S+@\S+$/.test(search)
  const { searchParam: _, ...rest } = query
  const { rows, ...page } = await loadNamedPage(db, isEmail ? rest : query, {
    ...{ table: users, by: name, finds: [name] },
    where: isEmail ? and(seen, eq(users.emailHash, hashEmail(config.dataKey, search))) : seen,
    load: (_, ids) => loadUsers(db, config, ids),
  })
  return { users: rows.map(user => shownTo(viewer, user)), ...page }
}

/** Somebody of the team. Throws `ERR_NO_USER_FOUND`. */
export async function getUser(db: Db, config: Config, { viewer }: Session, id: number): Promise<UserDetails> {
  const [user] = isHidden(viewer, id) ? [] : await loadUsers(db, config, [id])
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  const details = viewer.profile === 'admin' ? await loadDetails(db, id) : NOTHING_TOLD
  return { ...shownTo(viewer, user), ...details }
}

type Details = Omit<UserDetails, keyof User>
const NOTHING_TOLD: Details = { createdAt: null, lastSeenAt: null, liveTickets: [] }

async function loadDetails(db: Db, id: number): Promise<Details> {
  const [row] = await getSql(db)<Details[]>`
    select u.created_at as "createdAt", u.last_seen_at as "lastSeenAt",
      coalesce((select json_agg(json_build_object('queueId', q.queue_id, 'tickets', q.n) order by q.queue_id)
        from (select queue_id, count(*)::int as n from ticket where user_id = u.id and status in ('pending', 'open', 'paused')
          group by queue_id) q), '[]'::json) as "liveTickets"
    from "user" u where u.id = ${id}`
  return row ? { ...row } : NOTHING_TOLD
}

function shownTo(viewer: Viewer, user: User): User {
  return viewer.profile === 'admin' || user.id === viewer.id ? user : toColleagueView(user)
}
