// `backup verify`: restores it into a Postgres of its own that is thrown away, and compares every table and file with what was kept. The
// desk's own database is not asked, and need not be there.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePostgres } from '../../platform/database/embedded.ts'
import { toNoSpaceFault } from './fault.ts'
import type { BackupReader, Manifest, ProgressOptions } from './format.ts'
import { drain, loadBackup } from './load.ts'
import { readBackup } from './read.ts'
import { listMigrations } from './schema.ts'
import { runOnSession } from './session.ts'
import type { BackupSource } from './storage.ts'

export interface VerifyOptions extends ProgressOptions {
  readonly source: BackupSource
  readonly key: string | null
  /** The scratch database is made here and goes again. */
  readonly dataDir: string
  /** A server on which a scratch database may be made, instead of one of its own. */
  readonly serverUrl?: string
}

export interface VerifyResult {
  readonly at: string
  readonly version: string
  readonly manifest: Manifest
  readonly strangers: readonly string[]
}

/** Throws a `BackupFault`, or the reason of the signal. */
export async function verifyBackup(options: VerifyOptions): Promise<VerifyResult> {
  const { source, key, dataDir, serverUrl } = options
  const reader = await readBackup(source.stream(), key)
  try {
    listMigrations(reader.beginning)
    return await (serverUrl === undefined
      ? withOwnServer(dataDir, url => compared(url, reader, options))
      : compared(serverUrl, reader, options))
  } finally {
    await reader.close()
  }
}

async function compared(
  serverUrl: string,
  reader: BackupReader,
  { source, signal, progress }: VerifyOptions,
): Promise<VerifyResult> {
  const { at, version } = reader.beginning
  return withDatabase(serverUrl, url =>
    runOnSession(url, signal, async client => {
      await client.query('begin')
      const { manifest, strangers } = await loadBackup(client, {
        reader,
        keep: (_, bytes) => drain(bytes),
        report: step => progress?.({ ...step, bytes: reader.read, of: source.size }),
      })
      await client.query('rollback')
      return { at, version, manifest, strangers }
    }),
  )
}

async function withOwnServer<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const home = join(dataDir, `verify-${crypto.randomUUID().slice(0, 8)}`)
  await mkdir(home, { recursive: true, mode: 0o711 })
  try {
    const engine = await ensurePostgres({ dataDir: join(home, 'postgres'), test: true }).catch(error => {
      throw toNoSpaceFault(dataDir, error)
    })
    try {
      return await work(engine.url)
    } finally {
      await engine.stop()
      await rm(engine.folder, { recursive: true, force: true })
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function withDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `balcao_verify_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`
  return runOnSession(serverUrl, undefined, async client => {
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
    try {
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      return await work(url.href)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}
