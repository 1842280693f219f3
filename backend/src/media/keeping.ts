// Sees to it that what waits in the folder of this machine comes into the bucket, and that copies of what is there do not fill the disk.
// In every process: other machines have other files.
import { and, eq, inArray } from 'drizzle-orm'
import { isAway, keepWaiting } from './far.ts'
import { sweepCopies } from './folder.ts'
import type { MediaPlace } from './place.ts'
import { media } from './table.ts'

export interface Keeping {
  stop(): Promise<void>
}

export interface KeepingLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

const LOOK_MS = 10_000
const SWEEP_EVERY = 360
const DAY_MS = 24 * 3_600_000

/** Does nothing without a bucket. */
export function startKeeping(place: MediaPlace, log: KeepingLog, lookMs = LOOK_MS): Keeping {
  if (!place.bucket) return { stop: async () => {} }
  let looking: Promise<void> | null = null
  let looks = 0
  let away = false

  async function look(): Promise<void> {
    try {
      const kept = await keepWaiting(place)
      if (kept > 0 || away) log.info({ kept }, 'the bucket has what waited for it')
      away = false
      if (looks++ % SWEEP_EVERY === 0) await sweepCopiesOf(place)
    } catch (error) {
      if (!isAway(error)) return log.error({ err: error }, 'files could not be put into the bucket')
      if (!away) log.warn({ err: error }, 'the bucket is away: files wait in the folder')
      away = true
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => {
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

/** Removes copies of what the bucket keeps that nobody of this machine has needed for a day. */
export async function sweepCopiesOf({ db, dataDir, bucket }: MediaPlace): Promise<void> {
  if (!bucket) return
  await sweepCopies(dataDir, DAY_MS, async ids => {
    const kept = and(inArray(media.id, [...ids]), eq(media.keptIn, 's3'))
    return (await db.select({ id: media.id }).from(media).where(kept)).map(row => row.id)
  })
}
