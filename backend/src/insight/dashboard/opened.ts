// Tickets opened in a period by queue, person and contact, from the daily sums: the pies.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findTopContacts } from '../figures/contacts.ts'
import { figureSumsSql, resolvePeriod } from '../figures/read.ts'

type Query = QueryParams<'GET /ticketQueue'>

/** With the names of queues that are gone. */
export async function countOpenedByQueue(
  db: Db,
  query: Query,
  timezone: string,
  now: Date,
): Promise<ResponseBody<'GET /ticketQueue'>> {
  const sql = getSql(db)
  const rows = await sql<{ id: number | null; name: string; color: string; total: number }[]>`
    select f.queue_id as id, coalesce(q.name, p.name, '') as name, coalesce(q.color, p.color, '') as color, f.total
    from (select queue_id, coalesce(sum(opened), 0)::int as total from (${figureSumsSql(sql, resolvePeriod(query, timezone, now), query, 'queue')}) f group by queue_id) f
      left join queue q on q.id = f.queue_id left join past_queue p on p.id = f.queue_id
    where f.total > 0 order by f.total desc, f.queue_id nulls last`
  return rows.map(({ id, name, color, total }) => ({ queue: id === null ? null : { id, name, color }, Total: total }))
}

export async function countOpenedByPerson(
  db: Db,
  query: Query,
  timezone: string,
  now: Date,
): Promise<ResponseBody<'GET /ticketColaborador'>> {
  const sql = getSql(db)
  const rows = await sql<{ id: number | null; name: string; total: number }[]>`
    select f.user_id as id, coalesce(u.name, '') as name, f.total
    from (select user_id, coalesce(sum(opened), 0)::int as total from (${figureSumsSql(sql, resolvePeriod(query, timezone, now), query, 'user')}) f group by user_id) f
      left join "user" u on u.id = f.user_id
    where f.total > 0 order by f.total desc, f.user_id nulls last`
  return rows.map(({ id, name, total }) => ({ user: id === null ? null : { id, name }, Total: total }))
}

/** The contacts with the most, and the rest as one. */
export async function countOpenedByContact(
  db: Db,
  query: Query,
  timezone: string,
  now: Date,
): Promise<ResponseBody<'GET /ticketCliente'>> {
  const { named, all } = await findTopContacts(db, resolvePeriod(query, timezone, now), query)
  const others = all - named.reduce((sum, { total }) => sum + total, 0)
  const rows = named.map(({ id, name, total }) => ({ contact: { id, name }, Total: total }))
  return others > 0 ? [...rows, { contact: null, Total: others }] : rows
}
