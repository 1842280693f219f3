// The access policy of the contract as SQL (decisions §4, "Who may see a ticket, exactly"). A property test compares the two.
import type { AccessSettings, Profile, Viewer } from '@balcao/contract'
import type postgres from 'postgres'

export type SqlFragment = postgres.PendingQuery<postgres.Row[]>

/** A condition that holds for the tickets a viewer may see. `row` names the ticket. */
export function visibleTicketsSql(sql: postgres.Sql, viewer: Viewer, settings: AccessSettings, row = 't'): SqlFragment {
  if (viewer.profile === 'admin') return sql`true`
  return sql`(${servableTicketsSql(sql, viewer, settings, row)} or ${followedTicketsSql(sql, viewer, row)})`
}

/** Those the viewer follows. */
export function followedTicketsSql(sql: postgres.Sql, { id }: Viewer, row = 't'): SqlFragment {
  return sql`${sql(row)}.id = any(array(select f.ticket_id from ticket_follower f where f.user_id = ${id}))`
}

/**
 * Those a viewer may work on, the twin of `canServeTicket`. `row` names the ticket (or a row of the tally, which has the same
 * columns: status, queue_id, user_id, is_group).
 */
export function servableTicketsSql(
  sql: postgres.Sql,
  viewer: Viewer,
  settings: AccessSettings,
  row = 't',
): SqlFragment {
  if (viewer.profile === 'admin') return sql`true`
  return visibleToProfileSql(sql, viewer.profile, sql`${viewer.id}`, sql`${[...viewer.queueIds]}::int[]`, settings, row)
}

/** The same for people of one profile, whose id and queues may be columns of a statement. */
export function visibleToProfileSql(
  sql: postgres.Sql,
  profile: 'gerente' | 'user',
  id: SqlFragment,
  queueIds: SqlFragment,
  settings: AccessSettings,
  row = 't',
): SqlFragment {
  const ticket = sql(row)
  return sql`(
    ${inOwnQueues(sql, queueIds, settings, row)}
    and (${ticket}.user_id is null or ${ticket}.user_id = ${id} or ${ofColleagues(sql, profile, settings, row)})
  )`
}

/** What a manager sees of a row that is known by its queue and person alone, such as a sum. */
export function visibleToManagerSql(
  sql: postgres.Sql,
  { id, queueIds }: Viewer,
  settings: AccessSettings,
  row: string,
): SqlFragment {
  const person = sql`${sql(row)}.user_id`
  const below = settings.hierarchy ? ownedByAttendant(sql, row) : sql`true`
  return sql`(${inOwnQueues(sql, sql`${[...queueIds]}::int[]`, settings, row)} and (${person} is null or ${person} = ${id} or ${below}))`
}

/** A ticket of one's own queues, or of no queue where such tickets exist for everybody. */
function inOwnQueues(sql: postgres.Sql, queueIds: SqlFragment, settings: AccessSettings, row: string): SqlFragment {
  const ticket = sql(row)
  const own = sql`${ticket}.queue_id = any(${queueIds})`
  return settings.onlyAdminSeeEmptyQueue ? own : sql`(${ticket}.queue_id is null or ${own})`
}

/** A colleague's ticket that this profile and these settings let one see. */
function ofColleagues(sql: postgres.Sql, profile: Profile, settings: AccessSettings, row: string): SqlFragment {
  const ticket = sql(row)
  const below = settings.hierarchy ? ownedByAttendant(sql, row) : sql`true`
  if (profile === 'gerente') return below
  return sql`(case
    when ${ticket}.is_group then ${!settings.groupPerUser}::boolean
    when ${ticket}.status = 'closed' then ${settings.userClosedQueues}::boolean
    else ${settings.userShowAll}::boolean end and ${below})`
}

/** Whether the assigned person has the profile `user`. */
function ownedByAttendant(sql: postgres.Sql, row: string): SqlFragment {
  return sql`exists (select 1 from "user" owner where owner.id = ${sql(row)}.user_id and owner.profile = 'user')`
}
