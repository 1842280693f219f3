// Files that belong to nothing go after 24 hours: uploads nobody used, what was let go, bytes a crash left half received.
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { createSweep, type JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { sweepIncoming } from './folder.ts'
import { createMediaStorage, type MediaStorage } from './storage.ts'
import { removeGone } from './store.ts'
import { media } from './table.ts'

const BITE = 100
const DAY_MS = 24 * 3_600_000

export function mediaJobs(parts: Parts): JobKind[] {
  return [createSweep(parts, 'sweep-files', '*/5 * * * *', () => sweepFiles(createMediaStorage(parts)))]
}

/** Removes files that are part of nothing; how many. Throws `ERR_FILES_AWAY`: then it goes on the next time. */
export async function sweepFiles(place: MediaStorage): Promise<number> {
  const { db, dataDir } = place
  await sweepIncoming(dataDir, DAY_MS)
  const unclaimed = and(eq(media.owner, 'upload'), lt(media.createdAt, sql`now() - interval '24 hours'`))
  for (let gone = 0; ; ) {
    const some = db.select({ id: media.id }).from(media).where(unclaimed).limit(BITE)
    // One that is claimed meanwhile is no upload any more, and stays.
    await db
      .update(media)
      .set({ owner: 'gone' })
      .where(and(eq(media.owner, 'upload'), inArray(media.id, some)))
    // Those of a process that died in between are among them.
    const rows = await db.select({ id: media.id }).from(media).where(eq(media.owner, 'gone')).limit(BITE)
    if (rows.length === 0) return gone
    await removeGone(
      place,
      rows.map(row => row.id),
    )
    gone += rows.length
  }
}
