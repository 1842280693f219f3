// Jobs in the form of the contract, and the live event that carries one to whoever started it.
import type { Job } from '@balcao/contract'
import { desc, eq, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { media } from '../media/table.ts'
import { readSubject } from './about.ts'
import { jobs } from './table.ts'

/** Jobs, newest first. Links to files are made elsewhere: they do not keep. */
export async function loadJobs(db: Db | Tx, which: SQL | undefined, limit: number): Promise<Job[]> {
  const rows = await db
    .select({ job: jobs, name: media.name })
    .from(jobs)
    .leftJoin(media, eq(media.id, jobs.mediaId))
    .where(which)
    .orderBy(desc(jobs.id))
    .limit(limit)
  return rows.map(({ job: { params, mark, counts, mediaId, ...job }, name }) => ({
    ...job,
    about: readSubject(params),
    result: isTold(job.state, counts) ? { url: null, expiresAt: null, name, counts } : null,
  }))
}

/** What came of it at its end, and before that where it counts as it goes. */
function isTold(state: Job['state'], counts: Record<string, number>): boolean {
  return state === 'done' || Object.keys(counts).length > 0
}

/** Tells who started it how it stands in this transaction; gives it. */
export async function publishJob(tx: Tx, id: number, action: 'create' | 'update'): Promise<Job> {
  const [job] = await loadJobs(tx, eq(jobs.id, id), 1)
  if (!job) throw new Error('The job is gone')
  const event = { event: 'job', action, version: job.version, job } as const
  await appendEvents(tx, [{ event, audience: { to: 'user', userId: job.userId } }])
  return job
}
