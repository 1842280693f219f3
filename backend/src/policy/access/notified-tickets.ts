// Who is told of a ticket, as SQL: the twin of the contract's `shouldNotify`. A property test compares the two.
import type { AccessSettings, NoticeSettings, Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import { type SqlFragment, servableTicketsSql } from './visible-tickets.ts'

/** A condition that holds for the tickets a viewer is told of, but for those followed; `row` as for `servableTicketsSql`. */
export function notifiedByRightSql(
  sql: postgres.Sql,
  viewer: Viewer,
  settings: AccessSettings & NoticeSettings,
  row = 't',
): SqlFragment {
  const ticket = sql(row)
  const own = sql`${ticket}.queue_id is null or ${ticket}.queue_id = any(${[...viewer.queueIds]}::int[])`
  return sql`(${servableTicketsSql(sql, viewer, settings, row)}
    and ${ticket}.status in ('pending', 'open', 'paused')
    and case
      when ${ticket}.user_id = ${viewer.id} then true
      when ${ticket}.is_group then ${settings.notifyGroupToAllUsers}::boolean
      when ${ticket}.user_id is null and (${own}) then true
      else ${settings.notificateAllTickets ? staffed(sql, row) : sql`false`} end)`
}

/** Whether anybody active has the ticket's queue. */
function staffed(sql: postgres.Sql, row: string): SqlFragment {
  return sql`(${sql(row)}.queue_id is null or ${sql(row)}.queue_id in (select queue_id from user_queue q
    join "user" u on u.id = q.user_id and u.active and u.deleted_at is null))`
}
