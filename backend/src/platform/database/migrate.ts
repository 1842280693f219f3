// Brings a database to the newest tables. Several processes may start at once: one migrates, the others wait.
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { getSqlState } from './faults.ts'

export const MIGRATIONS = join(import.meta.dir, '../../../migrations')
/** Any number, the same in every version of the product. */
export const MIGRATION_LOCK = 7_114_001

/** Whoever waits for a table has everybody queue behind him who wants to read it: nobody waits longer for us than this. */
const LOCK_TIMEOUT_MS = 1000
const AGAIN_MS = 2000
/** Not free in time, or the one who gives way where two wait for each other. */
const IN_USE: readonly unknown[] = ['55P03', '40P01']

/**
 * Applies the migrations that are missing, under an advisory lock on a connection of its own. It waits for a backup that reads the
 * tables, and for whoever else holds one of them; `tell` says so, once for each.
 */
export async function migrate(
  url: string,
  tell: (text: string) => void = text => console.error(text),
  { migrationsFolder = MIGRATIONS } = {},
): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const has = (await findLastMigration(client)) ?? 0
    const newest = readNewestMigration(migrationsFolder)
    // Who misses nothing needs no lock, and waits for nobody.
    if (has > newest)
      tell(
        'the tables are of a newer version than this program: go on with that version, or restore a backup of before',
      )
    if (has >= newest) return
    const [free] = await client<{ mine: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`
    if (!free?.mine) {
      tell('the database is being migrated, restored or backed up by another process: waiting for it')
      await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    }
    await client`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, false)`
    for (let tries = 0; ; tries++) {
      try {
        return await runMigrations(drizzle(client), { migrationsFolder })
      } catch (error) {
        if (!IN_USE.includes(getSqlState(error))) throw error
        if (tries === 0)
          tell('tables that must change are in use, by a backup or a long report: trying again until they are free')
        await Bun.sleep(AGAIN_MS)
      }
    }
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** When the newest was made of those a version brings. */
export function readNewestMigration(migrationsFolder: string): number {
  return readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
}

/** When the last migration was made that a database has; null: it has none. */
export async function findLastMigration(client: postgres.Sql): Promise<number | null> {
  const [known] = await client<{ there: boolean | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as there`
  if (!known?.there) return null
  const [last] = await client<{ at: string | null }[]>`select max(created_at) as at from drizzle.__drizzle_migrations`
  return last?.at ? Number(last.at) : null
}
