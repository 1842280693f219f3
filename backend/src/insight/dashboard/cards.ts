// How much there is of everything.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { figureSumsSql, messageCountSql, resolvePeriod } from '../figures/read.ts'

interface Row {
  readonly activeUsers: number
  readonly users: number
  readonly queues: number
  readonly connected: number
  readonly connections: number
  readonly schedules: number
  readonly contacts: number
  readonly groups: number
  readonly tickets: number
  readonly messages: number
}

/** Tickets and messages of the period, the rest as it is now. Throws `ERR_VALIDATION`. */
export async function loadDashboardCards(
  db: Db,
  query: QueryParams<'GET /dashboard/cards'>,
  timezone: string,
  now: Date,
): Promise<ResponseBody<'GET /dashboard/cards'>> {
  const period = resolvePeriod(query, timezone, now)
  const sql = getSql(db)
  const [row] = await sql<Row[]>`
    select (select count(*) from "user" where deleted_at is null and id <> 1 and active)::int as "activeUsers",
      (select count(*) from "user" where deleted_at is null and id <> 1)::int as users,
      (select count(*) from queue)::int as queues,
      (select count(*) from whatsapp where deleted_at is null and status = 'CONNECTED')::int as connected,
      (select count(*) from whatsapp where deleted_at is null)::int as connections,
      (select count(*) from schedule)::int as schedules,
      (select coalesce(sum(n), 0) from contact_tally where not is_group)::int as contacts,
      (select coalesce(sum(n), 0) from contact_tally where is_group)::int as groups,
      (select coalesce(sum(f.opened), 0) from (${figureSumsSql(sql, period, {})}) f)::int as tickets,
      coalesce((${messageCountSql(sql, period)}), 0)::int as messages`
  if (!row) throw new Error('No figures')
  const { activeUsers, users, connected, connections, ...rest } = row
  return {
    ...rest,
    users: { active: activeUsers, total: users },
    connections: { connected, total: connections },
  }
}
