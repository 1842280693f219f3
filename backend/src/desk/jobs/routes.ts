import { type Job, LIMITS, type ResponseBody } from '@balcao/contract'
import { and, eq, lt } from 'drizzle-orm'
import { getPageDatabase } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createMediaLink } from '../media/links.ts'
import { renderErrorSheet } from './errors.ts'
import { cancelJob } from './long.ts'
import { isOwnJobSql, loadJobs } from './present.ts'
import { isStillAllowed } from './rights.ts'
import { jobs } from './table.ts'

export function jobRoutes(parts: Parts): Route[] {
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_JOB_FOUND')
  return [
    serve('GET /jobs', ({ session, query }) => ownJobs(parts, session, query.cursor)),
    serve('GET /jobs/:id', ({ session, params }) => ownJob(parts, session, idIn(params))),
    serve('GET /jobs/:id/errors', ({ session, params }) => renderErrorSheet(parts, session, idIn(params))),
    serve('DELETE /jobs/:id', ({ session, params }) => cancelJob(parts, session, idIn(params))),
  ]
}

async function ownJobs({ db }: Parts, session: Session, before?: number): Promise<ResponseBody<'GET /jobs'>> {
  const limit = LIMITS.rowsPage
  const own = and(isOwnJobSql(session), before === undefined ? undefined : lt(jobs.id, before))
  const found = await loadJobs(getPageDatabase(db), own, limit + 1)
  const page = found.slice(0, limit)
  const hasMore = found.length > limit
  return { jobs: page, hasMore, nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null }
}

async function ownJob({ db, config }: Parts, session: Session, id: number): Promise<Job> {
  const [job] = await loadJobs(db, and(eq(jobs.id, id), isOwnJobSql(session)), 1)
  if (!job) throw new AppError('ERR_NO_JOB_FOUND')
  const [row] = await db.select({ mediaId: jobs.mediaId, params: jobs.params }).from(jobs).where(eq(jobs.id, id))
  if (!row?.mediaId || !job.result?.name) return job
  // Who may not do such work any more does not get what came of it.
  if (!(await isStillAllowed(db, { kind: job.kind, params: row.params }, session.viewer.id))) return job
  return { ...job, result: { ...job.result, ...(await createMediaLink(config, row.mediaId)) } }
}
