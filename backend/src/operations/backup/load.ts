// Fills an empty database from a backup inside one transaction, and compares what is there then with what was kept.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { BackupFault } from './fault.ts'
import type { BackupProgress, BackupReader, Manifest, MemberName, TableShape } from './format.ts'
import { dropTableConstraints, listMigrations, runMigrations } from './schema.ts'
import { copyIn, copyOut } from './session.ts'
import { readTableShapes, tableRowsSql } from './tables.ts'

export interface LoadOptions {
  readonly reader: BackupReader
  /** Does something with the bytes of a file, all of them. */
  readonly keep: (name: Extract<MemberName, { id: string }>, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  readonly report: (at: Omit<BackupProgress, 'bytes' | 'of'>) => void
}

export interface LoadResult {
  readonly manifest: Manifest
  /** Tables that are none of Balcão's: somebody had put them into its database. They are left out. */
  readonly strangers: readonly string[]
}

/** Throws what reading throws, and `BACKUP_DIFFERENT`. The transaction is the caller's, and the database empty. */
export async function loadBackup(client: pg.Client, { reader, keep, report: told }: LoadOptions): Promise<LoadResult> {
  const { beginning } = reader
  const { until } = listMigrations(beginning)
  await runMigrations(client, until)
  const ours = new Map((await readTableShapes(client)).map(table => [table.name, table]))
  const tables = new Map(beginning.tables.flatMap(({ name, columns }) => known(ours.get(name), columns)))
  const putBack = await dropTableConstraints(client, [...tables.keys()])
  // What migrations put there is in the backup.
  await client.query(`truncate ${[...tables.keys()].join(', ')}`)
  for (let member = await reader.next(); member; member = await reader.next()) {
    if (member.name.kind !== 'table') {
      told({ step: 'files' })
      await keep(member.name, member.bytes)
      continue
    }
    told({ step: 'tables', name: member.name.name })
    const table = tables.get(member.name.name)
    if (table) await copyIn(client, intoSql(table), member.bytes)
    else await drain(member.bytes)
  }
  told({ step: 'indexes' })
  await client.query("set local maintenance_work_mem = '256MB'")
  await putBack()
  for (const { name, last, called } of beginning.sequences)
    await client.query('select setval(to_regclass($1), $2, $3) where to_regclass($1) is not null', [name, last, called])
  await client.query('analyze')
  const manifest = reader.manifest()
  await compare(client, manifest, tables, name => told({ step: 'compare', name }))
  return { manifest, strangers: beginning.tables.flatMap(({ name }) => (ours.has(name) ? [] : name)) }
}

/** Our own table, where the backup's has the same columns: nothing that a backup says becomes part of a statement. */
function known(table: TableShape | undefined, columns: readonly string[]): [string, TableShape][] {
  if (!table) return []
  if (table.columns.join() !== columns.join()) throw different(`${table.name} (${table.columns.join(', ')})`)
  return [[table.name, table]]
}

/** Frozen: nobody ever saw them otherwise, so nothing has to go through them again. */
function intoSql({ name, columns }: TableShape): string {
  return `copy ${name} (${columns.join(', ')}) from stdin with (freeze)`
}

async function compare(
  client: pg.Client,
  { tables }: Manifest,
  shapes: ReadonlyMap<string, TableShape>,
  report: (name: string) => void,
): Promise<void> {
  for (const { name, rows, sha256 } of tables) {
    const shape = shapes.get(name)
    if (!shape) continue
    report(name)
    const hash = createHash('sha256')
    const out = copyOut(client, tableRowsSql(shape))
    for await (const bytes of out) hash.update(bytes)
    if (out.rowCount !== rows) throw different(`${name}, ${out.rowCount} ≠ ${rows}`)
    if (hash.digest('hex') !== sha256) throw different(name)
  }
}

export async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes) {
    // Read is all that is asked of it: at its end it was compared.
  }
}

function different(table: string): BackupFault {
  return new BackupFault('BACKUP_DIFFERENT', { what: table })
}
