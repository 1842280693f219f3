// Files that belong to nothing go after 24 hours: uploads nobody used, what was let go, bytes a crash left half received.
import { and, eq, inArray, lt, ne, type SQL, sql } from 'drizzle-orm'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { ownsBucket } from './bucket-owner.ts'
import { sweepIncoming } from './folder.ts'
import { createMediaStorage, type MediaStorage } from './storage.ts'
import { removeGone } from './store.ts'
import { media } from './table.ts'

const BITE = 100
const DAY_MS = 24 * 3_600_000

export function mediaJobs(parts: Parts): JobKind[] {
  return [createSweep(parts, 'sweep-files', '*/5 * * * *', () => sweepFiles(createMediaStorage(parts)))]
}

/**
 * Removes files that are part of nothing; how many. What cannot be reached now stays and holds up nothing else; then it throws
 * `ERR_FILES_AWAY` at the end, and goes on the next time.
 */
export async function sweepFiles(place: MediaStorage): Promise<number> {
  const { db, dataDir } = place
  await sweepIncoming(dataDir, DAY_MS)
  const unclaimed = and(eq(media.owner, 'upload'), lt(media.createdAt, sql`now() - interval '24 hours'`))
  const isGone = eq(media.owner, 'gone')
  const findGone = (where: SQL | undefined) =>
    db.select({ id: media.id }).from(media).where(where).orderBy(media.id).limit(BITE)
  const reachable = and(isGone, await findReachable(place))
  for (let gone = 0; ; ) {
    const some = db.select({ id: media.id }).from(media).where(unclaimed).limit(BITE)
    // One that is claimed meanwhile is no upload any more, and stays.
    await db
      .update(media)
      .set({ owner: 'gone' })
      .where(and(eq(media.owner, 'upload'), inArray(media.id, some)))
    // Those of a process that died in between are among them. Where only unreachable ones are left, these say so.
    const rows = await findGone(reachable)
    const ids = (rows.length > 0 ? rows : await findGone(isGone)).map(row => row.id)
    if (ids.length === 0) return gone
    await removeGone(place, ids)
    gone += ids.length
  }
}

async function findReachable({ db, bucket }: MediaStorage): Promise<SQL | undefined> {
  if (!bucket) return eq(media.keptIn, 'folder')
  return (await ownsBucket({ db }, bucket)) ? undefined : ne(media.keptIn, 's3')
}
