// A run is locked before its schedule (docs/decisions/0153): who hands over, edits or stops a run holds it when the schedule is told.
import { LIVE_SEND_STATES } from '@balcao/contract'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { sends } from '../sends/table.ts'

/** Until the transaction is over nobody else begins a run of it, nor steers those it has: to be taken before any of their rows. */
export async function lockScheduleRuns(tx: Tx, scheduleId: number): Promise<void> {
  await getSql(tx)`select pg_advisory_xact_lock(hashtext('runs of a schedule'), ${scheduleId}::int)`
}

/** All its runs that are not over, oldest first, locked; none comes to them. To be asked before the schedule is locked. */
export async function lockLiveRuns(tx: Tx, scheduleId: number) {
  await lockScheduleRuns(tx, scheduleId)
  return tx
    .select({ id: sends.id, state: sends.state, reason: sends.stateReason, recipients: sends.recipients })
    .from(sends)
    .where(and(eq(sends.scheduleId, scheduleId), inArray(sends.state, [...LIVE_SEND_STATES])))
    .orderBy(asc(sends.id))
    .for('update')
}

/** All it ever had, over or not: they go with it. */
export async function lockAllRuns(tx: Tx, scheduleId: number): Promise<void> {
  await lockScheduleRuns(tx, scheduleId)
  await tx
    .select({ id: sends.id })
    .from(sends)
    .where(eq(sends.scheduleId, scheduleId))
    .orderBy(asc(sends.id))
    .for('update')
}
