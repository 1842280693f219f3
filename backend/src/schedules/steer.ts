// Pausing, resuming and cancelling a scheduled send, with the run that goes on (decisions §15).
import { LIVE_SEND_STATES, type Schedule } from '@balcao/contract'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { AppError } from '../http/errors.ts'
import { appendEvent } from '../live/append.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import { type Steering, steerRun } from '../sends/steer.ts'
import { sends } from '../sends/table.ts'
import type { Session } from '../sessions/authenticate.ts'
import { getSchedule } from './list.ts'
import { runAfter } from './run.ts'
import { schedules } from './table.ts'

/** Throws `ERR_NO_SCHEDULE_FOUND`, `ERR_INVALID_TRANSITION` where there is nothing to be done with it. */
export async function steerSchedule(parts: Parts, session: Session, id: number, what: Steering): Promise<Schedule> {
  await getSchedule(parts.db, session, id)
  return change(parts, async tx => {
    const [schedule] = await tx.select().from(schedules).where(eq(schedules.id, id)).for('update')
    if (!schedule) throw new AppError('ERR_NO_SCHEDULE_FOUND')
    const run = await liveRun(tx, id)
    const { state, nextRunAt, recurrence, rValue: RValue, sendTime: sendAt } = schedule
    const isDue = state === null && nextRunAt !== null
    const may =
      what === 'pause'
        ? isDue || canPause(run)
        : what === 'resume'
          ? state === 'paused' || canResume(run)
          : isDue || state === 'paused' || run
    if (!may) throw new AppError('ERR_INVALID_TRANSITION', { status: state ?? run?.state ?? 'done' })
    if (run && (what === 'cancel' || (what === 'pause' ? canPause(run) : canResume(run))))
      await steerRun(tx, run.id, what, session.viewer.id)
    const recurs = recurrence !== 'once'
    const set = {
      pause: { state: 'paused' as const },
      // What was missed meanwhile is not made up; what goes out once goes out late, or says that it is too late.
      resume: {
        state: null,
        ...(state === 'paused' && recurs && { nextRunAt: runAfter({ recurrence, RValue, sendAt }, session.settings) }),
      },
      cancel: { state: 'cancelled' as const, nextRunAt: null },
    }[what]
    const [changed] = await tx
      .update(schedules)
      .set({ ...set, stateUserId: session.viewer.id, version: sql`${schedules.version} + 1` })
      .where(eq(schedules.id, id))
      .returning({ version: schedules.version })
    await writeLog(tx, { action: `schedule.${what}`, userId: session.viewer.id, entityId: id })
    const version = changed?.version ?? 1
    await appendEvent(tx, { to: 'everyone' }, { event: 'agendamento', action: 'update', version, agendamentoId: id })
    return getSchedule(tx, session, id)
  })
}

type Run = Pick<typeof sends.$inferSelect, 'id' | 'state'>

/** The newest run that is not over. */
async function liveRun(tx: Tx, scheduleId: number): Promise<Run | undefined> {
  const live = and(eq(sends.scheduleId, scheduleId), inArray(sends.state, [...LIVE_SEND_STATES]))
  const [run] = await tx
    .select({ id: sends.id, state: sends.state })
    .from(sends)
    .where(live)
    .orderBy(desc(sends.id))
    .limit(1)
  return run
}

function canPause(run: Run | undefined): boolean {
  return run !== undefined && run.state !== 'paused' && run.state !== 'stopped'
}

function canResume(run: Run | undefined): boolean {
  return run?.state === 'paused' || run?.state === 'stopped'
}
