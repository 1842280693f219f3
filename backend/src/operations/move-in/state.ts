// How far a move has come, as people see it.
import { type ErrorCode, MOVE_IN_WORKING, type MoveIn } from '@balcao/contract'
import { desc, eq, type SQL } from 'drizzle-orm'
import { jobs } from '../../desk/jobs/table.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { measureDump } from './dump-file.ts'
import { moveIns } from './table.ts'

type Here = { readonly db: Db | Tx; readonly config: Pick<Config, 'dataDir'> }

/** Notes where it stands for good. */
export async function noteState(
  db: Db | Tx,
  id: number,
  state: MoveIn['state'],
  error: ErrorCode | null = null,
): Promise<void> {
  await db.update(moveIns).set({ state, error, endedAt: new Date().toISOString() }).where(eq(moveIns.id, id))
}

/** Throws `ERR_NOT_FOUND`. */
export async function loadMoveInState(here: Here, id: number): Promise<MoveIn> {
  const [move] = await loadMoveIns(here, eq(moveIns.id, id), 1)
  if (!move) throw new AppError('ERR_NOT_FOUND')
  return move
}

/** Newest first. One whose job ended before its end stands still. */
export async function loadMoveIns({ db, config }: Here, which: SQL | undefined, limit: number): Promise<MoveIn[]> {
  const rows = await db
    .select({ moveIn: moveIns, job: jobs })
    .from(moveIns)
    .leftJoin(jobs, eq(jobs.id, moveIns.jobId))
    .where(which)
    .orderBy(desc(moveIns.id))
    .limit(limit)
  return Promise.all(rows.map(row => presentMoveIn(config, row)))
}

/** As what one counts whose job ended before its end, where it is not to go on with that: without its files all the rest is there. */
const STOPPED_STATES: Partial<Record<MoveIn['state'], MoveIn['state']>> = { fetching: 'done', undoing: 'undoStopped' }

interface StoredState {
  readonly moveIn: typeof moveIns.$inferSelect
  readonly job: typeof jobs.$inferSelect | null
}

async function presentMoveIn(config: Here['config'], { moveIn, job }: StoredState): Promise<MoveIn> {
  const { id, source, userId, counts, createdAt, endedAt, fileName: name, fileSize: size } = moveIn
  const isWorking = MOVE_IN_WORKING.includes(moveIn.state)
  const isStopped = isWorking && job?.state !== 'waiting' && job?.state !== 'running'
  return {
    ...{ id, source, userId, counts, createdAt, endedAt },
    // One that is read once more, of one company, has that of before until its own is there.
    preview: moveIn.state === 'reading' ? null : moveIn.preview,
    dump: name === null || size === null ? null : { name, size, received: await measureDump(config.dataDir, id) },
    state: isStopped ? (STOPPED_STATES[moveIn.state] ?? 'stopped') : moveIn.state,
    done: moveIn.state === 'reading' || moveIn.state === 'fetching' ? (job?.done ?? 0) : moveIn.done,
    total: moveIn.state === 'fetching' ? (job?.total ?? 0) : moveIn.total,
    error: moveIn.error ?? job?.error ?? null,
  }
}
