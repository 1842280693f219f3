// An installation that is told to make backups and has none of the last two days says so: to administrators, and to operators.
import type { ResponseBody } from '@balcao/contract'
import { min } from 'drizzle-orm'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../policy/users/table.ts'
import { findLastBackups } from './records.ts'

export interface BackupState {
  /** The instant of the newest good one; null: there is none. */
  readonly goodAt: string | null
  /** Why the last one failed, as long as none is good since. */
  readonly failed: string | null
  readonly late: boolean
}

const LATE_MS = 2 * 24 * 3_600_000

/** How backups are doing; null where none are made daily. */
export async function readBackupState(
  db: Db,
  { backup }: Pick<Config, 'backup'>,
  now = new Date(),
): Promise<BackupState | null> {
  if (backup.to === null) return null
  const { goodAt, failed } = await findLastBackups(db)
  const since = goodAt ?? (await firstDay(db)) ?? now.toISOString()
  return { goodAt, failed: failed?.error ?? null, late: Date.parse(since) < now.getTime() - LATE_MS }
}

/** What administrators find in their bell until it is put right. */
export async function listBackupAlarms(
  db: Db,
  config: Pick<Config, 'backup'>,
  now = new Date(),
): Promise<ResponseBody<'GET /notifications'>['alarms']> {
  const state = await readBackupState(db, config, now)
  return state?.late ? [{ code: 'backup_old', at: state.goodAt, reason: state.failed }] : []
}

/** A new installation has two days for its first one. */
async function firstDay(db: Db): Promise<string | null> {
  const [row] = await db.select({ at: min(users.createdAt) }).from(users)
  return row?.at ?? null
}
