// Brings a database to the newest tables. Several processes may start at once: one migrates, the others wait.
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

export const MIGRATIONS = join(import.meta.dir, '../../migrations')
/** Any number, the same in every version of the product. */
export const MIGRATION_LOCK = 7_114_001

/** Applies the migrations that are missing, under an advisory lock on a connection of its own. */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`
    await runMigrations(drizzle(client), { migrationsFolder: MIGRATIONS })
  } finally {
    await client.end({ timeout: 5 })
  }
}
