// Who serves what: everybody with their figures of a period, and one person's tickets.
import { LIMITS, type QueryParams, type ResponseBody, type Ticket } from '@balcao/contract'
import { loadTickets } from '../../desk/tickets/present.ts'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { figureFilterSql, figureSumsSql, resolvePeriod } from '../figures/read.ts'
import { toRatingAverage } from './stats.ts'

type People = ResponseBody<'GET /dashboard/users'>
type Person = People['users'][number]

/**
 * Everybody of the team; who was deleted, and the owner, while they hold a ticket or attended somebody in the period: the table adds up
 * to the counters.
 */
export async function loadDashboardPeople(
  db: Db,
  query: QueryParams<'GET /dashboard/users'>,
  timezone: string,
  now: Date,
): Promise<People> {
  const period = resolvePeriod(query, timezone, now)
  const sql = getSql(db)
  const rows = await sql<(Omit<Person, 'rating'> & { ratings: number; stars: number })[]>`
    with done as (
      select f.user_id, sum(f.closed)::int as closed, sum(f.ratings)::int as ratings, sum(f.stars)::int as stars,
        greatest(sum(f.opened), sum(f.closed), sum(f.waits), sum(f.services), sum(f.ratings)) > 0 as attended
      from (${figureSumsSql(sql, period, query, 'user')}) f where f.user_id is not null group by f.user_id),
    serving as (
      select y.user_id, coalesce(sum(y.n) filter (where y.status = 'open'), 0)::int as open, sum(y.n) > 0 as holds from ticket_tally y
      where y.status <> 'closed' and y.user_id is not null ${figureFilterSql(sql, query, 'y')} group by y.user_id)
    select u.id, u.name, u.profile_pic_url as "profilePicUrl", u.active and u.deleted_at is null as active, u.status,
      coalesce(s.open, 0)::int as open, coalesce(d.closed, 0)::int as closed, coalesce(d.ratings, 0)::int as ratings,
      coalesce(d.stars, 0)::int as stars
    from "user" u left join done d on d.user_id = u.id left join serving s on s.user_id = u.id
    where ((u.id <> 1 and u.deleted_at is null) or s.holds or d.attended)
      ${query.userId === undefined ? sql`` : sql`and u.id = ${query.userId}`}
      ${
        query.queueId === undefined
          ? sql``
          : sql`and (d.attended or s.holds or exists (
        select 1 from user_queue q where q.user_id = u.id and q.queue_id = ${query.queueId}))`
      }
    order by u.name, u.id`
  return {
    users: rows.map(({ ratings, stars, ...person }) => ({ ...person, rating: toRatingAverage(stars, ratings) })),
  }
}

/** What somebody serves or has paused now, as in lists, the newest words first. Throws `ERR_NO_USER_FOUND`. */
export async function listPersonTickets(
  db: Db,
  userId: number,
  { queueId, limit = LIMITS.personTickets }: QueryParams<'GET /dashboard/users/:id'>,
): Promise<{ tickets: Ticket[]; hasMore: boolean }> {
  const sql = getSql(db)
  const [known] = await sql`select 1 from "user" where id = ${userId}`
  if (!known) throw new AppError('ERR_NO_USER_FOUND')
  // Each status of people and of groups is a range in this order.
  const rows = await getSql(getPageDatabase(db))<{ id: number }[]>`
    select t.id from unnest('{open,open,paused,paused}'::text[], '{f,t,f,t}'::bool[]) k(status, is_group)
      cross join lateral (
        select id, last_message_at from ticket
        where user_id = ${userId} and status = k.status and is_group = k.is_group
          ${queueId === undefined ? sql`` : sql`and queue_id = ${queueId}`}
        order by last_message_at desc nulls last, id desc nulls last limit ${limit + 1}) t
    order by t.last_message_at desc, t.id desc limit ${limit + 1}`
  const ids = toIds(rows).slice(0, limit)
  const views = await loadTickets(db, ids)
  return { tickets: ids.flatMap(id => views.get(id)?.ticket ?? []), hasMore: rows.length > limit }
}
