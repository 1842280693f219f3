// The tables of a version, made inside the transaction that fills them: whatever ends a restore leaves nothing behind.
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { applyInTransaction, MIGRATION_LOCK, MIGRATIONS, pollMigrationLock } from '../../platform/database/migrate.ts'
import { BackupFault } from './fault.ts'
import type { BackupBeginning } from './format.ts'

/** The migrations of this version, behind those a backup was made with. Throws `BACKUP_NEWER`, `BACKUP_UNKNOWN_VERSION`. */
export function listMigrations({ migrations, version }: BackupBeginning) {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS })
  const hashes = known.map(({ hash }) => hash)
  const isOurs = migrations.every((hash, at) => hashes[at] === hash)
  if (!isOurs) {
    const isAhead = migrations.length > hashes.length && hashes.every((hash, at) => migrations[at] === hash)
    throw new BackupFault(isAhead ? 'BACKUP_NEWER' : 'BACKUP_UNKNOWN_VERSION', { version })
  }
  return { until: known.slice(0, migrations.length), since: known.slice(migrations.length) }
}

type Migrations = ReturnType<typeof listMigrations>['until']

export function runMigrations(client: pg.Client, migrations: Migrations): Promise<void> {
  return applyInTransaction((text, values) => client.query(text, values), migrations)
}

export function acquireMigrationLock(
  client: pg.Client,
  tryLock: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared' | 'pg_try_advisory_xact_lock',
): Promise<void> {
  return pollMigrationLock(async () => {
    const { rows } = await client.query<{ mine: boolean }>(`select ${tryLock}($1) as mine`, [MIGRATION_LOCK])
    return rows[0]?.mine
  })
}

/** What slows filling down is taken off; what is returned puts it on again, checked against all rows. */
export async function dropTableConstraints(client: pg.Client, names: readonly string[]): Promise<() => Promise<void>> {
  const { rows: constraints } = await client.query<Constraint>(
    `
    select conrelid::regclass::text as table, quote_ident(conname) as name, contype as type, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = any($1::regclass[]) and contype in ('p', 'u', 'x', 'f')
    order by contype <> 'f', conname`,
    [names],
  )
  // Those that refer to others first, then what they refer to.
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = any($1::regclass[]) order by 1`,
    [names],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  return async () => {
    const keys = constraints.filter(({ type }) => type !== 'f')
    const references = constraints.filter(({ type }) => type === 'f')
    for (const constraint of keys) await addConstraint(client, constraint)
    for (const { definition } of indexes) await client.query(definition)
    for (const constraint of references) await addConstraint(client, constraint)
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  }
}

interface Constraint {
  table: string
  name: string
  type: string
  definition: string
}

async function addConstraint(client: pg.Client, { table, name, definition }: Constraint): Promise<void> {
  await client.query(`alter table ${table} add constraint ${name} ${definition}`)
}
