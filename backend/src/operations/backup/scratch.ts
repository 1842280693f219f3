// The scratch database of `backup verify`: in a Postgres of its own under DATA_DIR, or on a server that is given. Nothing of it stays; what
// somebody left whose process was killed, the next command or the server removes (`leftovers.ts`).
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ensurePostgres, removePostgres } from '../../platform/database/embedded.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { runWhileDiskHasSpace, type SpaceCheck } from './disk-watch.ts'
import { BackupFault, toNoSpaceFault } from './fault.ts'
import { removeEach } from './remove-each.ts'
import { runOnSession } from './session.ts'
import { createStaging } from './staging.ts'

export interface ScratchOptions {
  /** A Postgres of its own is made here and goes again. */
  readonly dataDir: string
  /** A server on which a scratch database may be made, instead. */
  readonly serverUrl?: string
  readonly signal?: AbortSignal
  /** How it is seen that the disk of `dataDir` has room: `ensureDiskSpace`, unless it is said. */
  readonly ensureSpace?: SpaceCheck
}

type ScratchWork<T> = (url: string, signal: AbortSignal | undefined) => Promise<T>

/** Throws `BACKUP_NO_SPACE`, `BACKUP_NO_SCRATCH`, what `work` throws, or the reason of the signal. */
export async function runOnScratchDatabase<T>(
  { dataDir, serverUrl, signal, ensureSpace }: ScratchOptions,
  work: ScratchWork<T>,
): Promise<T> {
  if (serverUrl !== undefined) return withDatabase(serverUrl, url => work(url, signal))
  const withOwn = (until: AbortSignal) =>
    withOwnServer(dataDir, server => withDatabase(server, url => work(url, until)))
  return runWhileDiskHasSpace(dataDir, signal, withOwn, ensureSpace)
}

async function withOwnServer<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  using own = createStaging(dataDir, 'verify')
  await mkdir(own.path, { recursive: true, mode: 0o711 })
  try {
    const engine = await ensurePostgres({ dataDir: join(own.path, POSTGRES), test: true })
    try {
      return await work(engine.url)
    } finally {
      await engine.stop()
      await rm(engine.folder, { recursive: true, force: true })
    }
  } catch (error) {
    throw getSqlState(error) === DISK_FULL
      ? new BackupFault('BACKUP_NO_SPACE', { where: dataDir }, { cause: error })
      : toNoSpaceFault(dataDir, error)
  } finally {
    await rm(own.path, { recursive: true, force: true })
  }
}

const POSTGRES = 'postgres'
/** Postgres' words for a disk that is full, and for what a role may not do. */
const DISK_FULL = '53100'
const MAY_NOT = '42501'

/** Its name says beside which database it stands, and a lock of that one's that it is wanted. */
async function withDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  return runOnSession(serverUrl, undefined, async client => {
    const name = `${await readScratchPrefix(client)}${crypto.randomUUID().slice(0, 8)}`
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    await client.query(`create database ${name} template template0 encoding 'UTF8'`).catch(error => {
      throw getSqlState(error) === MAY_NOT ? new BackupFault('BACKUP_NO_SCRATCH', {}, { cause: error }) : error
    })
    try {
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      return await work(url.href)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}

/** Several desks may share a server, and each removes its own alone. */
async function readScratchPrefix(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ prefix: string }>(
    `select 'balcao_verify_' || oid || '_' as prefix from pg_database where datname = current_database()`,
  )
  return rows[0]?.prefix ?? 'balcao_verify_'
}

/** Removes what a `verify` that was killed left in DATA_DIR: its server runs on. Where the account of the removing process may. */
export async function removeScratchServer(path: string): Promise<void> {
  await removePostgres(join(path, POSTGRES))
  await rm(path, { recursive: true, force: true })
}

/** Removes the scratch databases beside this one that nobody's session wants any more; how many. Throws as `removeEach`. */
export async function removeScratchDatabases(databaseUrl: string): Promise<number> {
  return runOnSession(databaseUrl, undefined, async client => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database
       where starts_with(datname, $1) and datdba = (select oid from pg_roles where rolname = current_user)`,
      [await readScratchPrefix(client)],
    )
    return removeEach(rows, async ({ name }) => {
      const lock = await client.query<{ free: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as free',
        [name],
      )
      if (!lock.rows[0]?.free) return 0
      await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)
      return 1
    })
  })
}
