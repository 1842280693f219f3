// Long work that somebody started: done in batches, each committed with how far it came, so that a killed process loses nothing
// and does nothing twice (docs/decisions/0183).
import type { ErrorCode, Job, JobReference } from '@balcao/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { JobHelpers } from 'graphile-worker'
import type { Static, TSchema } from 'typebox'
import type { Db, Tx } from '../../platform/database/client.ts'
import { findFullDisk } from '../../platform/database/faults.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import { type JobKind, readNumber } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { getLogSource, runWithLogSource } from '../../policy/log/source.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId, toTokenId } from '../../policy/users/viewer.ts'
import { claimUpload } from '../media/claim.ts'
import { getStarter, isOwnJobSql, loadJobs, publishJob } from './present.ts'
import { isStillAllowed } from './rights.ts'
import { jobs } from './table.ts'

/** What work that nobody waits at is given. */
export type JobParts = Pick<Parts, 'config' | 'db' | 'log' | 'readDb' | 'ring'>

/** A kind of long work. `params` is what it was started with, `mark` how far it came. */
export interface LongJob<P extends TSchema, M extends TSchema> {
  readonly kind: string
  readonly params: P
  readonly mark: M
  /** Goes on behind `job.mark`. An `AppError` ends it as failed; anything else is tried again from the last mark. */
  readonly work: (parts: JobParts, job: RunningJob<Static<P>, Static<M>>) => Promise<JobOutcome>
}

export interface RunningJob<P, M> {
  readonly id: number
  /** Who started it; below zero: a program of the company. */
  readonly userId: number
  readonly params: P
  /** Null: nothing was done yet. */
  readonly mark: M | null
  /** Aborted when this process is to end: what waits outside of a batch gives up. */
  readonly signal: AbortSignal
  /** One batch and its mark in one transaction, short enough for others to wait. Throws when the job was cancelled, or who started it may not any more: let that through. */
  readonly batch: (work: (tx: Tx) => Promise<JobProgress<M>>) => Promise<void>
}

export interface JobProgress<M> {
  readonly mark: M
  readonly done: number
  readonly total?: number
  /** What came of it so far, to be told while it runs. */
  readonly counts?: Record<string, number>
}

/** What it leaves: numbers to be told, and a file, stored as an upload of who started it. `error`: nothing came of it, and why. */
export interface JobOutcome {
  readonly error?: ErrorCode
  readonly counts?: Record<string, number>
  readonly uploadId?: string
}

/** A job that has not ended after so many tries ends those who try: processes that were killed count. */
const DEATHS = 25
/** So often it may fail for a reason nobody knows. */
const FAULTS = 5

/** Starts one with the change that asks for it. One person's jobs are done one after the other. */
export async function startJob<P extends TSchema, M extends TSchema>(
  tx: Tx,
  { viewer }: Pick<Session, 'viewer'>,
  { kind }: Pick<LongJob<P, M>, 'kind' | 'params'>,
  params: Static<P>,
): Promise<JobReference> {
  const [job] = await tx
    .insert(jobs)
    .values({ kind, userId: toPersonId(viewer.id), tokenId: toTokenId(viewer.id), params, source: getLogSource() })
    .returning({ id: jobs.id })
  if (!job) throw new Error('The job was not stored')
  await handToWorker(tx, kind, job.id, viewer.id)
  await publishJob(tx, job.id, 'create')
  return { jobId: job.id }
}

/** Cancels an own job between two batches; one that has ended stays as it is. Throws `ERR_NO_JOB_FOUND`. */
export async function cancelJob(parts: Parts, session: Session, id: number): Promise<Job> {
  return change(parts, async tx => {
    const own = and(eq(jobs.id, id), isOwnJobSql(session))
    const [cancelled] = await cancelJobs(tx, own)
    if (cancelled) {
      await writeLog(tx, { action: 'job.cancel', userId: session.viewer.id, entityId: id })
      return cancelled
    }
    const [job] = await loadJobs(tx, own, 1)
    if (!job) throw new AppError('ERR_NO_JOB_FOUND')
    return job
  })
}

/** Cancels what lives of these, whoever started it. */
export async function cancelJobs(tx: Tx, which: SQL | undefined): Promise<Job[]> {
  const changed = await tx
    .update(jobs)
    .set({ ...ended('cancelled'), version: sql`${jobs.version} + 1` })
    .where(and(which, inArray(jobs.state, LIVE)))
    .returning({ id: jobs.id })
  const published: Job[] = []
  for (const { id } of changed) published.push(await publishJob(tx, id, 'update'))
  return published
}

/** What the worker does for a kind. */
export function createLongJob<P extends TSchema, M extends TSchema>(parts: JobParts, long: LongJob<P, M>): JobKind {
  const paramsOf = createValidator(long.params)
  const markOf = createValidator(long.mark)

  async function work(payload: unknown, { job: { attempts }, abortSignal: signal }: JobHelpers): Promise<void> {
    const taken = await take(parts, readNumber(payload, 'jobId'))
    if (!taken) return
    const { id, params, mark, source } = taken
    const userId = getStarter(taken)
    let { version } = taken

    /** A transaction that counts only while the job is ours: cancelled, or begun by somebody else, it has another version. */
    async function step(work: (tx: Tx) => Promise<Partial<typeof jobs.$inferInsert>>): Promise<void> {
      version = await change(parts, async tx => {
        const set = { ...(await work(tx)), version: version + 1 }
        const ours = and(eq(jobs.id, id), eq(jobs.version, version))
        if ((await tx.update(jobs).set(set).where(ours).returning({ id: jobs.id })).length === 0) throw new NotOurs()
        return (await publishJob(tx, id, 'update')).version
      })
    }

    try {
      if (attempts > DEATHS) throw new AppError('ERR_INTERNAL')
      const {
        error,
        counts = {},
        uploadId,
      } = await runWithLogSource(source ?? 'auto', () =>
        long.work(parts, {
          id,
          userId,
          params: paramsOf(params),
          mark: mark === null ? null : markOf(mark),
          signal,
          async batch(work) {
            if (signal.aborted) throw new Stopping()
            await step(async tx => {
              if (!(await isStillAllowed(tx, { kind: long.kind, params }, userId)))
                throw new AppError('ERR_NO_PERMISSION')
              return work(tx)
            })
          },
        }),
      )
      await step(async tx => {
        if (uploadId !== undefined) await claimUpload(tx, userId, uploadId, { jobId: id })
        if (error !== undefined) return { ...ended('failed'), counts, error }
        return { ...ended('done'), counts, mediaId: uploadId ?? null }
      })
    } catch (error) {
      if (error instanceof Stopping) return handToWorker(parts.db, long.kind, id, userId)
      // Ended by whoever cancelled it. Otherwise somebody else goes on, or our last word came through without an answer: once more.
      if (error instanceof NotOurs && !(await isLive(parts.db, id))) return
      const known = error instanceof AppError ? error.code : null
      if (known === null && attempts < FAULTS) throw error
      if (known === null) parts.log.error({ err: error, jobId: id, kind: long.kind }, 'a job failed')
      await step(async () => ({ ...ended('failed'), error: known ?? toErrorCode(error) }))
    }
  }

  return { kind: long.kind, crew: 'long', work }
}

/** What is said of a reason that nobody caught. */
function toErrorCode(error: unknown): ErrorCode {
  return findFullDisk(error) === null ? 'ERR_INTERNAL' : 'ERR_NO_SPACE'
}

const LIVE = ['waiting', 'running'] as const

/** Makes it ours; nothing when it has ended. */
async function take(parts: JobParts, id: number) {
  return change(parts, async tx => {
    const live = and(eq(jobs.id, id), inArray(jobs.state, LIVE))
    const next = { state: 'running', version: sql`${jobs.version} + 1` } as const
    const [row] = await tx.update(jobs).set(next).where(live).returning()
    if (row) await publishJob(tx, id, 'update')
    return row
  })
}

async function isLive(db: Db, id: number): Promise<boolean> {
  const rows = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, id), inArray(jobs.state, LIVE)))
  return rows.length > 0
}

function handToWorker(db: Db | Tx, kind: string, jobId: number, userId: number): Promise<void> {
  const payload = { jobId }
  return enqueueJob(db, kind, { payload, key: `job:${jobId}`, attempts: DEATHS + 1, queue: `user:${userId}` })
}

function ended(state: 'done' | 'failed' | 'cancelled') {
  return { state, endedAt: new Date().toISOString() }
}

class NotOurs extends Error {}

/** This process is to end. */
class Stopping extends Error {}
