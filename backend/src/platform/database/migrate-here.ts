// Migrations by hand: before a server of a new version is started, or to see that nothing is missing.
import type { Db } from './client.ts'
import { withDatabaseHere } from './here.ts'
import { migrate } from './migrate.ts'
import { sqlOf } from './raw.ts'

/** Applies what is missing; how many migrations that were, and how many there are now. Throws as `withDatabaseHere`. */
export function migrateHere(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ applied: number; migrations: number }> {
  return withDatabaseHere(
    env,
    async ({ db, url }) => {
      const before = await migrationsIn(db)
      await migrate(url)
      const migrations = await migrationsIn(db)
      return { applied: migrations - before, migrations }
    },
    ['empty', 'older'],
  )
}

async function migrationsIn(db: Db): Promise<number> {
  const sql = sqlOf(db)
  const [known] = await sql<{ there: boolean | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as there`
  if (!known?.there) return 0
  const [row] = await sql<{ n: number | null }[]>`select count(*)::int as n from drizzle.__drizzle_migrations`
  return row?.n ?? 0
}
