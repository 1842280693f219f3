// What nobody has read of a ticket.
import type postgres from 'postgres'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

/**
 * The customer's messages that nobody has read. They are looked for behind the number up to which all of the ticket is read, not by an
 * index of what is unread: to mark a message as read would then write every index of its table.
 */
export function unreadSql(sql: postgres.Sql, ticketId: number): SqlFragment {
  return sql`ticket_id = ${ticketId} and seq > (select read_seq from ticket where id = ${ticketId}) and not read and not from_me`
}
