// What is asked of a move: to read, to go on, to stop, to take it back.
import type { MoveIn, MoveInSource } from '@balcao/contract'
import { eq, inArray } from 'drizzle-orm'
import { cancelJobs, type LongJob, startJob } from '../../desk/jobs/long.ts'
import { jobs } from '../../desk/jobs/table.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { seal } from '../../platform/seal.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type Mark, type Params, READ_JOB } from './read.ts'
import { loadMoveInState } from './state.ts'
import { moveIns } from './table.ts'
import { countWorkedOn, UNDO_JOB } from './undo.ts'
import { WRITE_JOB } from './write.ts'

export interface MoveInRequest {
  readonly source: MoveInSource
  /** An address of Postgres, or the path of a dump on this machine. */
  readonly from: { readonly address: string } | { readonly dump: string }
  readonly company?: string | undefined
  /** What the tag of those is called that were still being served. */
  readonly openTag: string
}

type Asker = Pick<Session, 'viewer'>
type Here = { readonly db: Db; readonly config: Pick<Config, 'dataKey'> }

/** Begins to lay the rows aside. */
export function beginMove({ db, config }: Here, asker: Asker, request: MoveInRequest): Promise<number> {
  const { source, from, company = null, openTag } = request
  return runInTransaction(db, async tx => {
    const place = 'address' in from ? { address: seal(config.dataKey, from.address) } : { dump: from.dump }
    const [made] = await tx
      .insert(moveIns)
      .values({ ...place, source, company, openTag, state: 'reading', userId: asker.viewer.id })
      .returning({ id: moveIns.id })
    if (!made) throw new Error('The move was not stored')
    await runJob(tx, asker, made.id, READ_JOB, 'reading')
    return made.id
  })
}

/** Begins to write, or goes on. Throws `ERR_MOVE_IN_STATE` where nothing was read, or all has come. */
export async function goOn({ db }: Here, asker: Asker, id: number): Promise<void> {
  const { state, preview } = await loadMoveInState(db, id)
  const mayGoOn = state === 'ready' || (preview !== null && (state === 'stopped' || state === 'failed'))
  if (!mayGoOn) throw new AppError('ERR_MOVE_IN_STATE')
  await runInTransaction(db, tx => runJob(tx, asker, id, WRITE_JOB, 'writing'))
}

/** What has come stays; it goes on when somebody says so. */
export async function stopMove({ db }: Here, id: number): Promise<MoveIn> {
  await runInTransaction(db, async tx => {
    const [row] = await tx.select({ jobId: moveIns.jobId }).from(moveIns).where(eq(moveIns.id, id))
    if (row?.jobId) await cancelJobs(tx, inArray(jobs.id, [row.jobId]))
  })
  return loadMoveInState(db, id)
}

/** Throws `ERR_MOVE_IN_STATE` while it is at work, `ERR_MOVE_IN_IN_USE` where somebody has worked on what came. */
export async function undoMove({ db }: Here, asker: Asker, id: number): Promise<void> {
  const { state } = await loadMoveInState(db, id)
  if (state === 'reading' || state === 'writing' || state === 'undoing') throw new AppError('ERR_MOVE_IN_STATE')
  if ((await countWorkedOn(db, id)) > 0) throw new AppError('ERR_MOVE_IN_IN_USE')
  await runInTransaction(db, tx => runJob(tx, asker, id, UNDO_JOB, 'undoing'))
}

async function runJob(
  tx: Tx,
  asker: Asker,
  id: number,
  job: LongJob<typeof Params, typeof Mark>,
  state: MoveIn['state'],
): Promise<void> {
  const { jobId } = await startJob(tx, asker, job, { moveInId: id })
  await tx.update(moveIns).set({ state, jobId, error: null, endedAt: null }).where(eq(moveIns.id, id))
}
