// How far a move has come, as people see it.
import type { ErrorCode, MoveIn } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { jobs } from '../../desk/jobs/table.ts'
import type { Db } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { moveIns } from './table.ts'

/** Notes where it stands for good. */
export async function noteState(
  { db }: { readonly db: Db },
  id: number,
  state: MoveIn['state'],
  error: ErrorCode | null = null,
): Promise<void> {
  await db.update(moveIns).set({ state, error, endedAt: new Date().toISOString() }).where(eq(moveIns.id, id))
}

/** One whose job ended before its end stands still. Throws `ERR_NOT_FOUND`. */
export async function loadMoveInState(db: Db, id: number): Promise<MoveIn> {
  const [row] = await db
    .select({ moveIn: moveIns, job: jobs })
    .from(moveIns)
    .leftJoin(jobs, eq(jobs.id, moveIns.jobId))
    .where(eq(moveIns.id, id))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  const { moveIn, job } = row
  const { source, preview, counts, createdAt, endedAt } = moveIn
  const isWorking = ['reading', 'writing', 'undoing'].includes(moveIn.state)
  const isStopped = isWorking && job?.state !== 'waiting' && job?.state !== 'running'
  return {
    ...{ id, source, preview, counts, createdAt, endedAt },
    state: isStopped ? 'stopped' : moveIn.state,
    done: moveIn.state === 'reading' ? (job?.done ?? 0) : moveIn.done,
    total: moveIn.total,
    error: moveIn.error ?? job?.error ?? null,
  }
}
