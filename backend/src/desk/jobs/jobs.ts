// Jobs that ended: their files go after 24 hours, they themselves after seven days.
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { releaseFiles } from '../media/claim.ts'
import { media } from '../media/table.ts'
import { jobErrors, jobs } from './table.ts'

export function jobJobs(parts: Parts): JobKind[] {
  return [createSweep(parts, 'sweep-jobs', '47 * * * *', () => sweepJobs(parts.db))]
}

export async function sweepJobs(db: Db): Promise<number> {
  const files = await db
    .select({ id: media.id })
    .from(media)
    .leftJoin(jobs, eq(jobs.id, media.jobId))
    .where(sql`${media.owner} = 'job' and (${jobs.id} is null or ${jobs.endedAt} < now() - interval '24 hours')`)
  await releaseFiles(
    db,
    files.map(file => file.id),
  )
  const old = db.select({ id: jobs.id }).from(jobs).where(sql`${jobs.endedAt} < now() - interval '24 hours'`)
  await db.delete(jobErrors).where(inArray(jobErrors.jobId, old))
  const gone = await db.delete(jobs).where(sql`${jobs.endedAt} < now() - interval '7 days'`).returning({ id: jobs.id })
  return gone.length
}
