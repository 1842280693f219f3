// Where a message of ours stands in time: never before what is there, whatever the provider's clock says.
import type postgres from 'postgres'

/** The time of a message that is put at the end of a ticket, in whole seconds as the provider's; the ticket's row is locked. */
export function atTheEnd(sql: postgres.Sql, ticketId: number): postgres.PendingQuery<postgres.Row[]> {
  return sql`greatest(date_trunc('second', clock_timestamp()), (select max(at) from message where ticket_id = ${ticketId}))`
}
