// Migrations by hand: before a server of a new version is started, or to see that nothing is missing.
import type { Db } from './client.ts'
import { runWithInstallation } from './installation.ts'
import { migrate } from './migrate.ts'
import { getSql } from './raw.ts'

/** Applies what is missing; how many migrations that were, and how many there are now. Throws as `runWithInstallation`. */
export function migrateInstallation(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ applied: number; migrations: number }> {
  return runWithInstallation(
    env,
    async ({ db, url }) => {
      const before = await countMigrations(db)
      await migrate(url)
      const migrations = await countMigrations(db)
      return { applied: migrations - before, migrations }
    },
    ['empty', 'older'],
  )
}

async function countMigrations(db: Db): Promise<number> {
  const sql = getSql(db)
  const [known] = await sql<{ there: boolean | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as there`
  if (!known?.there) return 0
  const [row] = await sql<{ n: number | null }[]>`select count(*)::int as n from drizzle.__drizzle_migrations`
  return row?.n ?? 0
}
