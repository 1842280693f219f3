// A backup every day, from the hour on that it was told, by whichever process looks first; what has had its time goes.
import { wallClockAt } from '@balcao/contract'
import { addressOf, type Db } from '../../platform/database/client.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { createApart } from './apart.ts'
import type { BackupMade } from './create.ts'
import { codeOf } from './fault.ts'
import { printOf } from './key.ts'
import { backupName, instantIn, type Place, prefixOf } from './place.ts'
import { placeOf } from './places.ts'
import { lastBackups, recordGone } from './records.ts'
import { secretsOf } from './secrets.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The newest stay however old they are. */
const LEAST_KEPT = 3

interface DailyParts extends Pick<Parts, 'db' | 'config'> {
  readonly log: { info(fields: object, text: string): void; error(fields: object, text: string): void }
}

/** Makes today's backup when it is time and there is none. A failure is noted, and tried again in an hour. */
export async function dailyBackup(
  parts: DailyParts,
  now = new Date(),
  signal?: AbortSignal,
): Promise<BackupMade | null> {
  const { db, config, log } = parts
  const place = placeOf(config.backup)
  if (place === null || !(await isDue(parts, now))) return null
  const installation = printOf(config.dataKey).slice(0, 8)
  const name = backupName(installation, now, config.backup.key !== null)
  try {
    const { dataDir, s3, version, backup } = config
    const told = {
      databaseUrl: addressOf(db),
      config: { dataDir, s3, version, backup },
      secrets: secretsOf(config),
      name,
      first: (await lastBackups(db)).goodAt === null,
    }
    const made = await createApart(told, signal)
    const { missing, damaged } = made.manifest.files
    if (missing.length + damaged.length > 0)
      log.error({ missing, damaged }, 'files of conversations are lost or were changed: the backup is without them')
    log.info({ where: made.where, bytes: made.bytes, rows: made.rows }, 'the daily backup is made')
    await sweepBackups(db, place, prefixOf(installation), now, config.backup.keepDays)
    return made
  } catch (error) {
    if (signal?.aborted) return null
    log.error({ err: error, code: codeOf(error) }, 'the daily backup failed')
    return null
  }
}

/** The company's day of backups begins at the hour that was told. */
async function isDue({ db, config }: DailyParts, now: Date): Promise<boolean> {
  const { goodAt, failed } = await lastBackups(db)
  if (failed && Date.parse(failed.at) > now.getTime() - HOUR) return false
  if (goodAt === null) return true
  const { timezone } = await readSettings(db)
  const dayOf = (at: number) => {
    const { year, month, day } = wallClockAt(new Date(at - config.backup.atMinute * 60_000), timezone)
    return (year * 12 + month) * 31 + day
  }
  return dayOf(Date.parse(goodAt)) < dayOf(now.getTime())
}

/** Removes this installation's backups that are older than they are kept. */
async function sweepBackups(db: Db, place: Place, prefix: string, now: Date, keepDays: number): Promise<void> {
  const names = await place.names(prefix)
  for (const name of names.slice(0, -LEAST_KEPT)) {
    const at = instantIn(name)
    if (at === null || at.getTime() > now.getTime() - keepDays * DAY) continue
    await place.remove(name)
    await recordGone(db, place.where(name))
  }
}
