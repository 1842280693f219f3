// Tickets whose pause ended by its time, and in which nobody has written since (docs/decisions/0310).
import type { Ticket } from '@balcao/contract'
import type postgres from 'postgres'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

interface Pause extends Pick<Ticket, 'status' | 'pauseUntil' | 'lastMessageAt'> {
  readonly pausedBy: number | null
}

/** When the pause of such a ticket ended; null for every other one. */
export function findWakingTime({ status, pauseUntil, pausedBy, lastMessageAt }: Pause): string | null {
  const isWoken = pausedBy === null && pauseUntil === lastMessageAt && (status === 'open' || status === 'pending')
  return isWoken ? pauseUntil : null
}

/** Whether an open ticket `t` is one of them. */
export function isWokenSql(sql: postgres.Sql): SqlFragment {
  return sql`(t.paused_by is null and t.pause_until is not distinct from t.last_message_at)`
}
