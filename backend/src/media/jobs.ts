// Files that belong to nothing go after 24 hours: uploads nobody used, what was let go, bytes a crash left half received.
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Parts } from '../parts.ts'
import { type JobKind, sweep } from '../worker/kind.ts'
import { type MediaPlace, removeMedia, sweepIncoming } from './store.ts'
import { media } from './table.ts'

const BITE = 100

export function mediaJobs(parts: Parts): JobKind[] {
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  return [sweep(parts, 'sweep-files', '*/5 * * * *', () => sweepFiles(place))]
}

export async function sweepFiles(place: MediaPlace): Promise<number> {
  await sweepIncoming(place.dataDir, 24 * 3_600_000)
  const { db } = place
  const unclaimed = and(eq(media.owner, 'upload'), lt(media.createdAt, sql`now() - interval '24 hours'`))
  for (let gone = 0; ; ) {
    const some = db.select({ id: media.id }).from(media).where(unclaimed).limit(BITE)
    // One that is claimed meanwhile is no upload any more, and stays.
    const rows = await db
      .delete(media)
      .where(and(eq(media.owner, 'upload'), inArray(media.id, some)))
      .returning({ id: media.id })
    if (rows.length === 0) return gone
    await removeMedia(
      place,
      rows.map(row => row.id),
    )
    gone += rows.length
  }
}
