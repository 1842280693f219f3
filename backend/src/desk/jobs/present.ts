// Jobs in the form of the contract, and the live event that carries one to whoever started it.
import type { Job } from '@balcao/contract'
import { and, desc, eq, like, ne, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { appendEvents } from '../../platform/live/append.ts'
import { isProgramFamily, type Session } from '../../policy/sessions/known-sessions.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'
import { media } from '../media/table.ts'
import { readSubject } from './about.ts'
import { jobs } from './table.ts'

/** The report that holds what customers wrote. */
const CONVERSATIONS = 'report.message'

/** Jobs, newest first. Links to files are made elsewhere: they do not keep. */
export async function loadJobs(db: Db | Tx, which: SQL | undefined, limit: number): Promise<Job[]> {
  const rows = await db
    .select({ job: jobs, name: media.name })
    .from(jobs)
    .leftJoin(media, eq(media.id, jobs.mediaId))
    .where(which)
    .orderBy(desc(jobs.id))
    .limit(limit)
  return rows.map(({ job: { params, mark, counts, mediaId, tokenId, ...job }, name }) => ({
    ...job,
    about: readSubject(params),
    result: isTold(job.state, counts) ? { url: null, expiresAt: null, name, counts } : null,
  }))
}

/**
 * Those of a person, or of a program of the company. A program that acts as a person has the person's reports, and nothing else; conversations
 * has who may read them.
 */
export function isOwnJobSql(session: Pick<Session, 'viewer' | 'family' | 'scopes'>): SQL | undefined {
  const { id } = session.viewer
  const readable = hasScope(session, 'readMessages') ? undefined : ne(jobs.kind, CONVERSATIONS)
  if (id < 0) return and(eq(jobs.tokenId, -id), readable)
  return and(eq(jobs.userId, id), isProgramFamily(session.family) ? like(jobs.kind, 'report.%') : undefined, readable)
}

/** Who started it, as the policy numbers them: below zero it is a program of the company. */
export function getStarter({ userId, tokenId }: Pick<typeof jobs.$inferSelect, 'userId' | 'tokenId'>): number {
  return userId ?? -(tokenId ?? 0)
}

/** What came of it at its end, and before that where it counts as it goes. */
function isTold(state: Job['state'], counts: Record<string, number>): boolean {
  return state === 'done' || Object.keys(counts).length > 0
}

/** Tells who started it how it stands in this transaction; gives it. */
export async function publishJob(tx: Tx, id: number, action: 'create' | 'update'): Promise<Job> {
  const [job] = await loadJobs(tx, eq(jobs.id, id), 1)
  if (!job) throw new Error('The job is gone')
  // A program asks: it has no line.
  if (job.userId === null) return job
  const event = { event: 'job', action, version: job.version, job } as const
  await appendEvents(tx, [{ event, audience: { to: 'user', userId: job.userId } }])
  return job
}
