// What is asked of a move: to read, to go on, to stop, to take it back.
import { MOVE_IN_WORKING, type MoveIn, type MoveInSource } from '@balcao/contract'
import { eq, inArray, ne } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { cancelJobs, type LongJob, startJob } from '../../desk/jobs/long.ts'
import { jobs } from '../../desk/jobs/table.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { seal } from '../../platform/seal.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { FILES_JOB } from './files.ts'
import { type Params, READ_JOB } from './read.ts'
import { loadMoveInState, loadMoveIns } from './state.ts'
import { moveIns } from './table.ts'
import { countWorkedOn, UNDO_JOB } from './undo.ts'
import { WRITE_JOB } from './write.ts'

export interface MoveInRequest {
  readonly source: MoveInSource
  /** An address of a database, or the path of a dump on this machine. */
  readonly from: { readonly address: string } | { readonly dump: string }
  readonly company?: string | undefined
  /** What the tag of those is called that were still being served. */
  readonly openTag: string
}

export type MoveInAsker = Pick<Session, 'viewer'>
type Here = { readonly db: Db; readonly config: Pick<Config, 'dataDir' | 'dataKey'> }

/** Begins to lay the rows aside. Throws `ERR_MOVE_IN_BUSY`. */
export function beginMove({ db, config }: Here, asker: MoveInAsker, request: MoveInRequest): Promise<number> {
  const { source, from, company = null, openTag } = request
  return runInTransaction(db, async tx => {
    await claimTurn({ db: tx, config }, MOVE_IN_WORKING)
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

/** Reads a dump that was sent, once all of it is here; also once more, of one company. Throws `ERR_MOVE_IN_STATE`, `ERR_MOVE_IN_BUSY`. */
export function readAgain(here: Here, asker: MoveInAsker, id: number, company?: string): Promise<MoveIn> {
  return changeMove(here, id, async (tx, { state, dump, preview }) => {
    const isHere = dump !== null && dump.received === dump.size
    const mayRead = state === 'uploading' || state === 'failed' || (state === 'stopped' && preview === null)
    if (!isHere || !mayRead) throw new AppError('ERR_MOVE_IN_STATE')
    if (company !== undefined) await tx.update(moveIns).set({ company }).where(eq(moveIns.id, id))
    await runJob(tx, asker, id, READ_JOB, 'reading')
  })
}

/** Begins to write, or goes on. Throws `ERR_MOVE_IN_STATE` where nothing was read, or all has come; `ERR_MOVE_IN_BUSY`. */
export function goOn(here: Here, asker: MoveInAsker, id: number): Promise<MoveIn> {
  return changeMove(here, id, async (tx, { state, preview }) => {
    if (state !== 'ready' && !(state === 'stopped' && preview !== null)) throw new AppError('ERR_MOVE_IN_STATE')
    await runJob(tx, asker, id, WRITE_JOB, 'writing')
  })
}

/** Fetches the files that messages name from a folder of this machine or an address; also once more. Throws `ERR_MOVE_IN_STATE`, `ERR_MOVE_IN_BUSY`. */
export function bringFiles(here: Here, asker: MoveInAsker, id: number, filesFrom: string): Promise<MoveIn> {
  return changeMove(here, id, async (tx, { state }) => {
    if (state !== 'done') throw new AppError('ERR_MOVE_IN_STATE')
    await tx.update(moveIns).set({ filesFrom }).where(eq(moveIns.id, id))
    await runJob(tx, asker, id, FILES_JOB, 'fetching')
  })
}

/** What has come stays; it goes on when somebody says so. */
export function stopMove({ db, config }: Here, id: number): Promise<MoveIn> {
  return runInTransaction(db, async tx => {
    const [row] = await tx.select({ jobId: moveIns.jobId }).from(moveIns).where(eq(moveIns.id, id))
    if (row?.jobId) await cancelJobs(tx, inArray(jobs.id, [row.jobId]))
    return loadMoveInState({ db: tx, config }, id)
  })
}

/**
 * Throws `ERR_MOVE_IN_STATE` while it is at work, and where nothing is left of it; `ERR_MOVE_IN_IN_USE` where somebody has worked on what came;
 * `ERR_MOVE_IN_BUSY`.
 */
export function undoMove(here: Here, asker: MoveInAsker, id: number): Promise<MoveIn> {
  return changeMove(here, id, async (tx, { state }) => {
    if (state === 'undone' || MOVE_IN_WORKING.includes(state)) throw new AppError('ERR_MOVE_IN_STATE')
    if ((await countWorkedOn(tx, id)) > 0) throw new AppError('ERR_MOVE_IN_IN_USE')
    await runJob(tx, asker, id, UNDO_JOB, 'undoing')
  })
}

/** Who presses twice, or at once with somebody else, finds the state that the first one made. */
function changeMove(
  { db, config }: Here,
  id: number,
  change: (tx: Tx, before: MoveIn) => Promise<void>,
): Promise<MoveIn> {
  return runInTransaction(db, async tx => {
    await claimTurn({ db: tx, config }, MOVE_IN_WORKING, id)
    await change(tx, await loadMoveInState({ db: tx, config }, id))
    return loadMoveInState({ db: tx, config }, id)
  })
}

/** One move at a time is in one of these states, whoever asks at once. Throws `ERR_MOVE_IN_BUSY`. */
export async function claimTurn(
  { db: tx, config }: { readonly db: Tx; readonly config: Pick<Config, 'dataDir'> },
  states: readonly MoveIn['state'][],
  id = 0,
): Promise<void> {
  await getSql(tx)`select pg_advisory_xact_lock(hashtext('move_in'))`
  const others = await loadMoveIns({ db: tx, config }, ne(moveIns.id, id), SEEN)
  if (others.some(({ state }) => states.includes(state))) throw new AppError('ERR_MOVE_IN_BUSY')
}

/** Of those before one at most was at work. */
const SEEN = 20

async function runJob(
  tx: Tx,
  asker: MoveInAsker,
  id: number,
  job: Pick<LongJob<typeof Params, TSchema>, 'kind' | 'params'>,
  state: MoveIn['state'],
): Promise<void> {
  const { jobId } = await startJob(tx, asker, job, { moveInId: id })
  await tx.update(moveIns).set({ state, jobId, error: null, endedAt: null }).where(eq(moveIns.id, id))
}
