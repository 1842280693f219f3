// The access policy of the contract as SQL (decisions §4, "Who may see a ticket, exactly"). A property test compares the two.
import type { AccessSettings, Viewer } from '@balcao/contract'
import type postgres from 'postgres'

export type Fragment = postgres.PendingQuery<postgres.Row[]>

/**
 * A condition that holds for the tickets a viewer may see. `row` names the ticket (or a row of the tally, which has the same
 * columns: status, queue_id, user_id, is_group).
 */
export function visibleTickets(sql: postgres.Sql, viewer: Viewer, settings: AccessSettings, row = 't'): Fragment {
  if (viewer.profile === 'admin') return sql`true`
  const ticket = sql(row)
  return sql`(
    ${inOwnQueues(sql, viewer, settings, row)}
    and (${ticket}.user_id is null or ${ticket}.user_id = ${viewer.id} or ${ofColleagues(sql, viewer, settings, row)})
  )`
}

/** A ticket of one's own queues, or of no queue where such tickets exist for everybody. */
function inOwnQueues(sql: postgres.Sql, viewer: Viewer, settings: AccessSettings, row: string): Fragment {
  const ticket = sql(row)
  const own = sql`${ticket}.queue_id = any(${[...viewer.queueIds]}::int[])`
  return settings.onlyAdminSeeEmptyQueue ? own : sql`(${ticket}.queue_id is null or ${own})`
}

/** A colleague's ticket that this profile and these settings let one see. */
function ofColleagues(sql: postgres.Sql, viewer: Viewer, settings: AccessSettings, row: string): Fragment {
  const ticket = sql(row)
  const below = settings.hierarchy ? ownedByAttendant(sql, row) : sql`true`
  if (viewer.profile === 'gerente') return below
  return sql`(case
    when ${ticket}.is_group then ${!settings.groupPerUser}::boolean
    when ${ticket}.status = 'closed' then ${settings.userClosedQueues}::boolean
    else ${settings.userShowAll}::boolean end and ${below})`
}

/** Whether the assigned person has the profile `user`. */
function ownedByAttendant(sql: postgres.Sql, row: string): Fragment {
  return sql`exists (select 1 from "user" owner where owner.id = ${sql(row)}.user_id and owner.profile = 'user')`
}
