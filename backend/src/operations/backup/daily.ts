// A backup every day, from the hour on that it was told, by whichever process looks first; what has had its time goes.
import { toWallClock } from '@balcao/contract'
import { getDatabaseAddress } from '../../platform/database/client.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { createBackupInSubprocess } from './apart.ts'
import type { BackupResult } from './create.ts'
import { getFaultCode } from './fault.ts'
import { fingerprintDataKey } from './key.ts'
import { getBackupStorage } from './open-storage.ts'
import { findLastBackups, recordBackupRemoval } from './records.ts'
import { pickSecrets } from './secrets.ts'
import { type BackupStorage, formatBackupName, getNamePrefix, parseBackupInstant } from './storage.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The newest stay however old they are. */
const LEAST_KEPT = 3
/** More time than this since the last one is not believed by the clock alone: it may be two weeks ahead for ten minutes. */
const BELIEVED_MS = 30 * HOUR

interface DailyParts extends Pick<Parts, 'db' | 'config'> {
  readonly log: { info(fields: object, text: string): void; error(fields: object, text: string): void }
}

/** Makes today's backup when it is time and there is none. A failure is noted, and tried again in an hour. */
export async function createDailyBackup(
  parts: DailyParts,
  now = new Date(),
  signal?: AbortSignal,
): Promise<BackupResult | null> {
  const { db, config, log } = parts
  const place = getBackupStorage(config.backup)
  if (place === null || !(await isDue(parts, now))) return null
  const installation = fingerprintDataKey(config.dataKey).slice(0, 8)
  const sweep = await prepareSweep(parts, place, getNamePrefix(installation), now)
  // Before, too: on a disk that is full, what has had its time would stay for ever.
  await sweep()
  const name = formatBackupName(installation, now, config.backup.key !== null)
  try {
    const { dataDir, s3, version, backup } = config
    const outcome = {
      databaseUrl: getDatabaseAddress(db),
      config: { dataDir, s3, version, backup },
      secrets: pickSecrets(config),
      name,
      first: (await findLastBackups(db)).goodAt === null,
    }
    const made = await createBackupInSubprocess(outcome, signal)
    const { missing, damaged } = made.manifest.files
    if (missing.length + damaged.length > 0)
      log.error({ missing, damaged }, 'files of conversations are lost or were changed: the backup is without them')
    log.info({ where: made.where, bytes: made.bytes, rows: made.rows }, 'the daily backup is made')
    await sweep()
    return made
  } catch (error) {
    if (signal?.aborted) return null
    log.error({ err: error, code: getFaultCode(error) }, 'the daily backup failed')
    return null
  }
}

/** The company's day of backups begins at the hour that was told. */
async function isDue({ db, config }: DailyParts, now: Date): Promise<boolean> {
  const { goodAt, failed } = await findLastBackups(db)
  if (failed && Date.parse(failed.at) > now.getTime() - HOUR) return false
  if (goodAt === null) return true
  const { timezone } = await readSettings(db)
  const dayOf = (at: number) => {
    const { year, month, day } = toWallClock(new Date(at - config.backup.atMinute * 60_000), timezone)
    return (year * 12 + month) * 31 + day
  }
  return dayOf(Date.parse(goodAt)) < dayOf(now.getTime())
}

/**
 * How this installation's backups go that are older than they are kept, by the clock and by the last sign that there was time: a backup, or
 * one that failed. What keeps them from it is said, and keeps no backup from being made.
 */
async function prepareSweep(
  { db, config, log }: DailyParts,
  place: BackupStorage,
  prefix: string,
  now: Date,
): Promise<() => Promise<void>> {
  const { failed } = await findLastBackups(db)
  let until: number | undefined
  return async () => {
    try {
      const names = await place.names(prefix)
      const newest = parseBackupInstant(names.at(-1) ?? '')?.getTime() ?? 0
      const seen = Math.max(newest, failed ? Date.parse(failed.at) : 0)
      until ??= Math.min(now.getTime(), seen + BELIEVED_MS) - config.backup.keepDays * DAY
      for (const name of names.slice(0, -LEAST_KEPT)) {
        const at = parseBackupInstant(name)
        if (at === null || at.getTime() > until) continue
        await place.remove(name)
        await recordBackupRemoval(db, place.where(name))
      }
    } catch (error) {
      log.error({ err: error }, 'old backups could not be removed')
    }
  }
}
