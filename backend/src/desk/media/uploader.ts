// Sees to it that what waits in the folder of this machine comes into the bucket, and that copies of what is there do not fill the disk.
// In every process: other machines have other files.
import { inArray } from 'drizzle-orm'
import { isBucketAway, uploadWaitingFiles } from './bucket-files.ts'
import { isOtherDesk, ownsBucket } from './bucket-owner.ts'
import { sweepCopies } from './folder.ts'
import type { MediaStorage } from './storage.ts'
import { media } from './table.ts'

export interface Uploader {
  stop(): Promise<void>
}

export interface UploaderLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

const LOOK_MS = 10_000
const SWEEP_EVERY = 360
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A file is in its place a moment before its row is. */
const UNKNOWN_MS = 600_000

/** Does nothing without a bucket. */
export function startUploader(place: MediaStorage, log: UploaderLog, lookMs = LOOK_MS): Uploader {
  if (!place.bucket) return { stop: async () => {} }
  let looking: Promise<void> | null = null
  let looks = 0
  let away = false
  /** Also for what waits for long: at the start, once the bucket is back, and now and then. */
  let thoroughly = true

  async function check(): Promise<void> {
    const isTime = looks++ % SWEEP_EVERY === 0
    thoroughly ||= isTime
    try {
      const uploaded = await uploadWaitingFiles(place, thoroughly ? undefined : HOUR_MS)
      if (uploaded > 0 || away) log.info({ uploaded }, 'the bucket has what waited for it')
      away = false
      thoroughly = false
      if (isTime) await sweepBucketCopies(place)
    } catch (error) {
      thoroughly = true
      // What could not be swept is swept the next time.
      if (isTime) looks = 0
      if (!isBucketAway(error)) return log.error({ err: error }, 'files could not be put into the bucket')
      const why = isOtherDesk(error) ? 'the bucket is another desk’s' : 'the bucket is away'
      if (!away) log.warn({ err: error }, `${why}: files wait in the folder`)
      away = true
    }
  }

  const timer = setInterval(() => {
    looking ??= check().finally(() => {
      looking = null
    })
  }, lookMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.race([looking, Bun.sleep(STOP_MS)])
    },
  }
}

/** What is not there then waits for the next start. */
const STOP_MS = 2000

/**
 * Removes copies of what the bucket keeps that nobody of this machine has needed for a day; and at once what no row knows any more: another
 * machine removed the file, and this one still had a copy. Throws `ERR_FILES_AWAY`.
 */
export async function sweepBucketCopies({ db, dataDir, bucket }: MediaStorage): Promise<void> {
  // The folder of a desk whose copy this is may be at hand as well.
  if (!bucket || !(await ownsBucket({ db }, bucket))) return
  await sweepCopies(dataDir, { unneededMs: DAY_MS, unknownMs: UNKNOWN_MS }, async ids => {
    const { id, keptIn, owner } = media
    const rows = await db
      .select({ id, keptIn, owner })
      .from(media)
      .where(inArray(id, [...ids]))
    const known = rows.filter(row => row.owner !== 'gone')
    return { known: known.map(row => row.id), far: known.filter(row => row.keptIn === 's3').map(row => row.id) }
  })
}
