// What is written down about backups, where the database has a table for it: one is made before an upgrade, too.
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { backups } from './table.ts'

export interface BackupSummary {
  readonly at: string
  readonly bytes: number
  readonly rows: number
  readonly files: number
}

/** Notes that one is begun; whatever was running before has died. Null: there is no table for it yet. */
export async function recordBackupStart(
  db: Db,
  begun: { readonly place: string; readonly daily: boolean; readonly encrypted: boolean },
): Promise<number | null> {
  const [known] = await getSql(db)<
    { there: boolean | null }[]
  >`select to_regclass('public.backup') is not null as there`
  if (!known?.there) return null
  const died = { state: 'failed', error: 'died', endedAt: sql`now()` } as const
  await db.update(backups).set(died).where(eq(backups.state, 'running'))
  const [row] = await db.insert(backups).values(begun).returning({ id: backups.id })
  return row?.id ?? null
}

export async function recordBackupSuccess(db: Db, id: number | null, done: BackupSummary): Promise<void> {
  if (id === null) return
  await db
    .update(backups)
    .set({ ...done, state: 'done', endedAt: sql`now()` })
    .where(eq(backups.id, id))
}

/** `error` is a code: what the system says may name folders and hosts. */
export async function recordBackupFailure(db: Db, id: number | null, error: string): Promise<void> {
  if (id === null) return
  const failed = { state: 'failed', error, endedAt: sql`now()` } as const
  await db.update(backups).set(failed).where(eq(backups.id, id))
}

/** It was removed after its time. */
export async function recordBackupRemoval(db: Db, place: string): Promise<void> {
  await db
    .update(backups)
    .set({ goneAt: sql`now()` })
    .where(and(eq(backups.place, place), isNull(backups.goneAt)))
}

/** Of those made daily, and still there: a copy that somebody took away by hand is none. */
export interface LastBackups {
  /** The instant of the newest good one. */
  readonly goodAt: string | null
  /** When and why one after it failed, if one did. */
  readonly failed: { readonly at: string; readonly error: string } | null
}

/** The clock that said so was wrong: waited for, it would be a year without backups. */
const IS_NOT_AHEAD = lt(backups.at, sql`now() + interval '1 hour'`)

export async function findLastBackups(db: Db): Promise<LastBackups> {
  const newest = (state: 'done' | 'failed') =>
    db
      .select({ id: backups.id, at: backups.at, error: backups.error })
      .from(backups)
      .where(and(eq(backups.state, state), eq(backups.daily, true), isNull(backups.goneAt), IS_NOT_AHEAD))
      .orderBy(desc(backups.id))
      .limit(1)
  const [[good], [failed]] = await Promise.all([newest('done'), newest('failed')])
  const isLater = failed !== undefined && (good === undefined || failed.id > good.id)
  return { goodAt: good?.at ?? null, failed: isLater ? { at: failed.at, error: failed.error ?? 'died' } : null }
}
