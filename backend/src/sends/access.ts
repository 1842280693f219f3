// Who may see and steer which send (decisions §4): mass sends are managers' and administrators', a run is whose scheduled send it is of.
import { mayUse } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { maySeeSchedule } from '../access/schedules.ts'
import type { Db, Tx } from '../database/client.ts'
import { AppError } from '../http/errors.ts'
import { schedules } from '../schedules/table.ts'
import type { Session } from '../sessions/authenticate.ts'
import { sends } from './table.ts'

/** Throws `ERR_NO_PERMISSION` for everybody else. */
export function checkSends({ viewer, settings }: Session): void {
  if (!mayUse(viewer, 'sends', settings)) throw new AppError('ERR_NO_PERMISSION')
}

/** Throws `ERR_NO_PERMISSION`, and `ERR_NO_SEND_FOUND` also for a run of another's scheduled send. */
export async function checkSend(db: Db | Tx, session: Session, id: number): Promise<void> {
  const { viewer, settings } = session
  const [send] = await db
    .select({ scheduleId: sends.scheduleId, userId: schedules.userId })
    .from(sends)
    .leftJoin(schedules, eq(schedules.id, sends.scheduleId))
    .where(eq(sends.id, id))
  if (mayUse(viewer, 'sends', settings)) {
    if (!send) throw new AppError('ERR_NO_SEND_FOUND')
    return
  }
  // Whether there is a mass send of this id is nobody else's business.
  if (!settings.allowAgendador || send?.scheduleId == null) throw new AppError('ERR_NO_PERMISSION')
  if (!maySeeSchedule(viewer, send)) throw new AppError('ERR_NO_SEND_FOUND')
}
