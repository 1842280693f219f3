// Which tickets a report is made of, as SQL: the period, its filters, and what who asked for it may see.
import { type ShownSettings, settingsFrom, type Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import { type Fragment, seenByManager } from '../../policy/access/visible-tickets.ts'
import type { Period } from '../figures/read.ts'
import type { Asked } from './asked.ts'

/** Who a report is made for, with what is asked. */
export interface Which extends Asked {
  readonly viewerId: number
  readonly period: Period
}

/** A condition on a ticket `t` that was opened in the period. */
export function openedTickets(sql: postgres.Sql, which: Which): Fragment {
  const { from, until } = which.period
  return sql`t.created_at >= ${from}::timestamptz and t.created_at < ${until}::timestamptz and ${chosenTickets(sql, which)}`
}

/** The same whenever it was opened. */
function chosenTickets(sql: postgres.Sql, which: Which): Fragment {
  const { queueId, userId } = which
  return sql`${ownRows(sql, which, 't')} and ${ofKind(sql, which)}
    ${queueId === null ? sql`` : sql`and t.queue_id = ${queueId}`} ${userId === null ? sql`` : sql`and t.user_id = ${userId}`}`
}

/** A condition on a ticket: of the contact, in the status. */
export function ofKind(sql: postgres.Sql, { contactId, status }: Which): Fragment {
  return sql`true
    ${contactId === null ? sql`` : sql`and t.contact_id = ${contactId}`} ${status === '' ? sql`` : sql`and t.status = ${status}`}`
}

/**
 * A condition on a ticket, or a row of sums with its `queue_id` and `user_id`: everything for administrators; for managers what the policy
 * shows them and lies in one of their queues (decisions §4).
 */
export function ownRows(sql: postgres.Sql, which: Which, row: string): Fragment {
  if (which.scope.profile === 'admin') return sql`true`
  const { viewer, settings } = askerOf(which)
  return sql`${sql(row)}.queue_id = any(${[...viewer.queueIds]}::int[]) and ${seenByManager(sql, viewer, settings, row)}`
}

/** Who asked, as the policy saw them then. */
export function askerOf({ viewerId, scope }: Pick<Which, 'viewerId' | 'scope'>): {
  readonly viewer: Viewer
  readonly settings: ShownSettings
} {
  const { profile, queueIds, ...limits } = scope
  return { viewer: { id: viewerId, profile, queueIds }, settings: { ...settingsFrom({}), ...limits } }
}
