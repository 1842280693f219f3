// Which tickets a report is made of, as SQL: the period, its filters, and what who asked for it may see.
import type postgres from 'postgres'
import { visibleRowsSql } from '../../policy/access/report-scope.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { Period } from '../figures/read.ts'
import type { ReportRequest } from './request.ts'

/** Who a report is made for, with what is asked. */
export interface ReportQuery extends ReportRequest {
  readonly viewerId: number
  readonly period: Period
}

/** A condition on a ticket `t` that was opened in the period. */
export function openedTicketsSql(sql: postgres.Sql, which: ReportQuery): SqlFragment {
  const { from, until } = which.period
  return sql`t.created_at >= ${from}::timestamptz and t.created_at < ${until}::timestamptz and ${chosenTickets(sql, which)}`
}

/** The same whenever it was opened. */
function chosenTickets(sql: postgres.Sql, which: ReportQuery): SqlFragment {
  const { queueId, userId } = which
  return sql`${visibleRowsSql(sql, which, 't')} and ${ticketFilterSql(sql, which)}
    ${queueId === null ? sql`` : sql`and t.queue_id = ${queueId}`} ${userId === null ? sql`` : sql`and t.user_id = ${userId}`}`
}

/** A condition on a ticket: of the contact, in the status. */
export function ticketFilterSql(sql: postgres.Sql, { contactId, status }: ReportQuery): SqlFragment {
  return sql`true
    ${contactId === null ? sql`` : sql`and t.contact_id = ${contactId}`} ${status === '' ? sql`` : sql`and t.status = ${status}`}`
}
