// Pausing, resuming and cancelling a scheduled send, with all its runs that go on (decisions §15).
import type { Schedule } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { checkRecipients } from '../sends/access.ts'
import { changeRunState, type SendAction } from '../sends/change-state.ts'
import { FOR_GOOD } from '../sends/stop.ts'
import { getSchedule } from './list.ts'
import { lockLiveRuns } from './lock.ts'
import { computeNextRun } from './run.ts'
import { schedules } from './table.ts'

/**
 * Throws `ERR_NO_SCHEDULE_FOUND`, `ERR_INVALID_TRANSITION` where there is nothing to be done with it, and `ERR_NO_PERMISSION` where who
 * resumes it could not schedule it today.
 */
export async function changeScheduleState(
  parts: Parts,
  session: Session,
  id: number,
  action: SendAction,
): Promise<Schedule> {
  await getSchedule(parts.db, session, id)
  return change(parts, async tx => {
    const runs = await lockLiveRuns(tx, id)
    const [schedule] = await tx.select().from(schedules).where(eq(schedules.id, id)).for('update')
    if (!schedule) throw new AppError('ERR_NO_SCHEDULE_FOUND')
    const { state, nextRunAt, recurrence, rValue: RValue, sendTime: sendAt } = schedule
    const isDue = state === null && nextRunAt !== null
    const steered = selectRuns(action, runs)
    const mayItself = { pause: isDue, resume: state === 'paused', cancel: isDue || state === 'paused' }[action]
    if (!mayItself && steered.length === 0)
      throw new AppError('ERR_INVALID_TRANSITION', { status: state ?? runs.at(-1)?.state ?? 'done' })
    if (action === 'resume') await checkGoesOn(tx, session, id, steered)
    for (const run of steered) await changeRunState(tx, run.id, action, toPersonId(session.viewer.id))
    const recurs = recurrence !== 'once'
    const set = {
      pause: { state: 'paused' as const },
      // What was missed meanwhile is not made up; what goes out once goes out late, or says that it is too late.
      resume: {
        state: null,
        ...(state === 'paused' &&
          recurs && { nextRunAt: computeNextRun({ recurrence, RValue, sendAt }, session.settings) }),
      },
      cancel: { state: 'cancelled' as const, nextRunAt: null },
    }[action]
    const [changed] = await tx
      .update(schedules)
      .set({ ...set, stateUserId: toPersonId(session.viewer.id), version: sql`${schedules.version} + 1` })
      .where(eq(schedules.id, id))
      .returning({ version: schedules.version })
    await writeLog(tx, { action: `schedule.${action}`, userId: session.viewer.id, entityId: id })
    const version = changed?.version ?? 1
    await appendEvent(tx, { to: 'everyone' }, { event: 'agendamento', action: 'update', version, agendamentoId: id })
    return getSchedule(tx, session, id)
  })
}

/** Neither the scheduled send nor a run of it goes on to whom the viewer may not send. */
async function checkGoesOn(tx: Tx, session: Session, id: number, runs: readonly Run[]): Promise<void> {
  const { allContacts, contacts, tags } = await getSchedule(tx, session, id)
  const coming = { allContacts, contactsIds: toIds(contacts), tagsIds: toIds(tags) }
  for (const recipients of [coming, ...runs.map(run => run.recipients)]) await checkRecipients(tx, session, recipients)
}

type Run = Awaited<ReturnType<typeof lockLiveRuns>>[number]

/** Which of its runs it takes along, oldest first. What stopped by itself before the newest did is said too late to go on with it. */
function selectRuns(action: SendAction, runs: readonly Run[]): readonly Run[] {
  const newest = runs.at(-1)
  return runs.filter(run => {
    const { state, reason } = run
    if (action === 'cancel') return true
    if (action === 'pause') return state !== 'paused' && state !== 'stopped'
    return state === 'paused' || (run === newest && state === 'stopped' && (!reason || !FOR_GOOD.includes(reason)))
  })
}
