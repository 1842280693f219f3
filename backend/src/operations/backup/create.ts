// `backup create`: one snapshot of every table, the files of that snapshot, and what they add up to, while the desk goes on.
import type pg from 'pg'
import type { Bucket } from '../../desk/media/bucket.ts'
import { closeDatabase, openDatabase } from '../../platform/database/client.ts'
import { MIGRATION_LOCK } from '../../platform/database/migrate.ts'
import { BackupFault, getFaultCode } from './fault.ts'
import { listFiles, writeFiles } from './files.ts'
import type { BackupBeginning, BackupProgress, Manifest, ProgressOptions, TableChecksum } from './format.ts'
import { fingerprintDataKey } from './key.ts'
import { recordBackupFailure, recordBackupStart, recordBackupSuccess } from './records.ts'
import { acquireMigrationLock } from './schema.ts'
import type { DeskSecrets } from './secrets.ts'
import { copyOut, runOnSession } from './session.ts'
import type { BackupSink } from './storage.ts'
import { readSequenceStates, readTableShapes, tableRowsSql } from './tables.ts'
import { type BackupWriter, createBackupWriter } from './write.ts'

export interface CreateOptions extends ProgressOptions {
  readonly databaseUrl: string
  readonly dataDir: string
  /** The bucket that keeps files, where one does. */
  readonly bucket: Bucket | null
  /** Of the product. */
  readonly version: string
  /** Go with it when it is encrypted. */
  readonly secrets: DeskSecrets
  /** Null: not encrypted. */
  readonly key: string | null
  /** Where it will be found, for the records. */
  readonly where: string
  readonly sink: () => Promise<BackupSink>
  readonly daily?: boolean
  /** Half the time it rests: nobody waits for it, and others work. */
  readonly gentle?: boolean
}

export interface BackupResult {
  readonly where: string
  /** The instant of the snapshot. */
  readonly at: string
  readonly bytes: number
  readonly rows: number
  readonly manifest: Manifest
}

/** Any number, the same in every version of the product. */
const LOCK = 7_114_005

/** Throws a `BackupFault`, or the reason of the signal; nothing is left then. */
export async function createBackup(options: CreateOptions): Promise<BackupResult> {
  const { databaseUrl, signal, key, daily = false } = options
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    return await runOnSession(databaseUrl, signal, async client => {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
      if (!rows[0]?.mine) throw new BackupFault('BACKUP_RUNNING')
      const record = await recordBackupStart(db, { place: options.where, daily, encrypted: key !== null })
      let sink: BackupSink | undefined
      try {
        sink = await options.sink()
        const made = await write(client, sink, options)
        await sink.finish()
        const { at, bytes, manifest } = made
        await recordBackupSuccess(db, record, { at, bytes, rows: made.rows, files: manifest.files.count })
        return made
      } catch (error) {
        await sink?.abort()
        // The database may be what is gone.
        await recordBackupFailure(db, record, getFaultCode(signal?.aborted ? signal.reason : error)).catch(() => {})
        throw error
      }
    })
  } finally {
    await closeDatabase(db)
  }
}

async function write(client: pg.Client, sink: BackupSink, options: CreateOptions): Promise<BackupResult> {
  // Before the snapshot: an update that changes the tables waits until they are written, and what it began is done before.
  await acquireMigrationLock(client, 'pg_try_advisory_lock_shared')
  await client.query('begin isolation level repeatable read read only')
  const beginning = await readBeginning(client, options)
  const between = paced(options.gentle ?? false, options.signal)
  const writer = await createBackupWriter(sink, options.key, beginning, between)
  try {
    return await writeAll(client, writer, beginning, options)
  } catch (error) {
    await writer.abort()
    throw error
  }
}

async function writeAll(
  client: pg.Client,
  writer: BackupWriter,
  beginning: BackupBeginning,
  options: CreateOptions,
): Promise<BackupResult> {
  const report = (at: Omit<BackupProgress, 'bytes' | 'of'>) =>
    options.progress?.({ ...at, bytes: writer.written, of: null })
  const files = await listFiles(client)
  try {
    const tables = await writeTables(client, writer, beginning, name => report({ step: 'tables', name }))
    // What is dead meanwhile may be swept: files need no snapshot.
    await client.query('commit')
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK])
    const sums = await writeFiles(client, writer, options, files, () => report({ step: 'files' }))
    const manifest = { tables, files: sums }
    await writer.end(manifest)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    return { where: options.where, at: beginning.at, bytes: writer.written, rows, manifest }
  } finally {
    await files.drop()
  }
}

/** The first statement takes the snapshot; the tables keep their form until it ends. */
async function readBeginning(client: pg.Client, { version, secrets, key }: CreateOptions): Promise<BackupBeginning> {
  const { rows } = await client.query<{ at: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
  )
  const tables = await readTableShapes(client)
  if (tables.length === 0) throw new BackupFault('BACKUP_NOTHING')
  await client.query(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`)
  const migrations = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at',
  )
  return {
    version,
    at: rows[0]?.at ?? new Date().toISOString(),
    migrations: migrations.rows.map(({ hash }) => hash),
    tables,
    sequences: await readSequenceStates(client),
    dataKeyPrint: fingerprintDataKey(secrets.dataKey),
    secrets: key === null ? null : secrets,
  }
}

async function writeTables(
  client: pg.Client,
  writer: BackupWriter,
  { tables }: BackupBeginning,
  report: (name: string) => void,
): Promise<TableChecksum[]> {
  const sums: TableChecksum[] = []
  for (const table of tables) {
    report(table.name)
    const rows = copyOut(client, tableRowsSql(table))
    const sum = await writer.table(table.name, rows)
    sums.push({ name: table.name, rows: rows.rowCount, ...sum })
  }
  return sums
}

const REST_MOST_MS = 200

/** Ends it when asked to, and rests as long as it worked. */
function paced(gentle: boolean, signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    if (!gentle) return
    await Bun.sleep(Math.min(performance.now() - since, REST_MOST_MS))
    since = performance.now()
  }
}
