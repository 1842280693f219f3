// Brings a database to the newest tables. Several processes may start at once: one migrates, the others wait.
import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
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
  // A connection that was replaced after an hour would not hold the lock.
  const client = postgres(url, { max: 1, max_lifetime: 0, onnotice: () => {} })
  try {
    const has = (await findLastMigration(client)) ?? 0
    const newest = readNewestMigration(migrationsFolder)
    // Who misses nothing needs no lock, and waits for nobody.
    if (has > newest)
      tell(
        'the tables are of a newer version than this program: go on with that version, or restore a backup of before',
      )
    if (has >= newest) return
    const tryLock = () =>
      client<{ mine: boolean }[]>`select pg_try_advisory_lock(${MIGRATION_LOCK}) as mine`.then(([row]) => row?.mine)
    await pollMigrationLock(tryLock, () =>
      tell('the database is being migrated, restored or backed up by another process: waiting for it'),
    )
    for (let tries = 0; ; tries++) {
      try {
        return await applyMissing(client, migrationsFolder)
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

/**
 * Asks for the lock again and again. A statement that waited for it would hold a snapshot, and an index that is built beside the work of
 * others waits until every older snapshot is gone: the two would wait for each other.
 */
export async function pollMigrationLock(
  tryLock: () => Promise<boolean | undefined>,
  tellTaken: () => void = () => {},
): Promise<void> {
  for (let tries = 0; !(await tryLock()); tries++) {
    if (tries === 0) tellTaken()
    await Bun.sleep(POLL_MS)
  }
}

const POLL_MS = 250

/** What is missing, in its order: all that stands together in one transaction, what is done beside the work of others by itself. */
async function applyMissing(client: postgres.Sql, migrationsFolder: string): Promise<void> {
  const last = await findLastMigration(client)
  const missing = readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > (last ?? 0))
  const applyTogether = (migrations: readonly MigrationMeta[]) =>
    client.begin(async tx => {
      await tx`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`
      await applyInTransaction(runOn(tx), migrations)
    })
  // Nobody works with tables that are made now.
  if (last === null) return void (await applyTogether(missing))
  while (missing.length > 0) {
    const beside = missing.findIndex(isConcurrent)
    const together = missing.splice(0, beside === -1 ? missing.length : beside)
    if (together.length > 0) await applyTogether(together)
    const [next] = missing.splice(0, 1)
    if (next) await applyConcurrently(client, next)
  }
}

type Run = (text: string, values?: (string | number)[]) => PromiseLike<unknown>

/** The text of files, which nobody has as a template. */
function runOn(client: Pick<postgres.Sql, 'unsafe'>): Run {
  return (text, values = []) => client.unsafe(text, values)
}

/** The migrations in a transaction of the caller's; what else is done beside the work of others locks its tables here. */
export async function applyInTransaction(run: Run, migrations: readonly MigrationMeta[]): Promise<void> {
  await run('create schema if not exists drizzle')
  await run(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  for (const migration of migrations) {
    for (const statement of migration.sql) await run(statement.replace(CONCURRENTLY, 'INDEX'))
    await recordMigration(run, migration)
  }
}

/** As Drizzle's own migrator does it. */
async function recordMigration(run: Run, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await run('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis])
}

const CONCURRENTLY = /\bINDEX CONCURRENTLY\b/i
const isConcurrent = ({ sql }: MigrationMeta) => sql.some(statement => CONCURRENTLY.test(statement))

/**
 * Builds and drops indexes while everybody works, for as long as it takes (docs/decisions/0295). Nothing is undone when it ends in the
 * middle: each statement says `if [not] exists`, and an index that was left half built is built anew.
 */
async function applyConcurrently(client: postgres.Sql, migration: MigrationMeta): Promise<void> {
  const run = runOn(client)
  for (const statement of migration.sql) {
    const [, name] = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)"/i.exec(statement) ?? []
    const [halfBuilt] = await client`
      select 1 from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = ${name ?? ''} and c.relnamespace = 'public'::regnamespace and not i.indisvalid`
    if (halfBuilt) await run(`drop index concurrently "${name}"`)
    await run(statement)
  }
  await recordMigration(run, migration)
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
