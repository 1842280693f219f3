// `backup restore`: brings a backup into an empty database and an empty folder of files, all of it or nothing, and has the desk hold
// still until somebody has looked at it (`disarm.ts`).
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { ensureDiskSpace } from '../../desk/media/disk-space.ts'
import { getMediaPath, getThumbPath, OURS_ALONE } from '../../desk/media/folder.ts'
import { type DisarmedCounts, disarmRestored } from './disarm.ts'
import { BackupFault, toNoSpaceFault } from './fault.ts'
import type { BackupProgress, BackupReader, Manifest, MemberName, ProgressOptions } from './format.ts'
import { fingerprintDataKey } from './key.ts'
import { removeLeftovers } from './leftovers.ts'
import { loadBackup } from './load.ts'
import { readBackup } from './read.ts'
import { acquireMigrationLock, listMigrations, runMigrations } from './schema.ts'
import { putSecrets } from './secrets.ts'
import { runOnSession } from './session.ts'
import { createStaging } from './staging.ts'
import type { BackupSource } from './storage.ts'
import { findExistingObject } from './tables.ts'

export interface RestoreOptions extends ProgressOptions {
  /** False: the secrets in the folder were made just now, by this command. */
  readonly hasSecrets?: boolean
  readonly source: BackupSource
  readonly key: string | null
  readonly databaseUrl: string
  readonly dataDir: string
  /** Files go on into a bucket from here. */
  readonly hasBucket: boolean
  /** What this installation would work with. */
  readonly dataKey: string
  /** It stands in the environment, where no backup can change it. */
  readonly dataKeyIsGiven: boolean
  /** What a command that was killed left could not be removed; without it, that ends the restore. */
  readonly warnOfLeftovers?: (error: unknown) => void
}

export interface RestoreResult {
  /** The instant of what is there now. */
  readonly at: string
  readonly version: string
  readonly manifest: Manifest
  readonly strangers: readonly string[]
  readonly calmed: DisarmedCounts
  /** Where the secrets are that were here before; null: there were none. */
  readonly replaced: string | null
}

/** Throws a `BackupFault`, or the reason of the signal; database and folder are empty then as before. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { source, key, databaseUrl, dataDir, signal } = options
  const reader = await readBackup(source.stream(), key)
  using own = createStaging(dataDir, 'restore')
  const staging = own.path
  const media = join(dataDir, 'media')
  try {
    listMigrations(reader.beginning)
    checkDataKey(reader, options)
    await checkFolder(media, dataDir)
    return await runOnSession(databaseUrl, signal, async client => {
      try {
        return await restore(client, reader, { ...options, staging, media })
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    })
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  } finally {
    await reader.close()
  }
}

async function restore(
  client: pg.Client,
  reader: BackupReader,
  {
    staging,
    media,
    dataDir,
    databaseUrl,
    source,
    progress,
    hasBucket,
    hasSecrets,
    warnOfLeftovers,
  }: RestoreOptions & { staging: string; media: string },
): Promise<RestoreResult> {
  const { beginning } = reader
  const report = (at: Omit<BackupProgress, 'bytes' | 'of'>) =>
    progress?.({ ...at, bytes: reader.read, of: source.size })
  await client.query('begin')
  // A server that is started meanwhile waits until everything is there.
  await acquireMigrationLock(client, 'pg_try_advisory_xact_lock')
  const something = await findExistingObject(client)
  if (something !== null) throw new BackupFault('BACKUP_NOT_EMPTY', { what: something })
  await removeLeftovers(dataDir).catch(warnOfLeftovers)
  const keep = async (name: FileName, bytes: AsyncIterable<Uint8Array>) => writeFile(staging, name, bytes)
  const { manifest, strangers } = await loadBackup(client, { reader, keep, report })
  report({ step: 'upgrade' })
  await runMigrations(client, listMigrations(beginning).since)
  const calmed = await disarmRestored(client, hasBucket)
  const hasFiles = manifest.files.count > 0
  const secrets = beginning.secrets && (await putSecrets(dataDir, beginning.secrets, hasSecrets))
  try {
    if (hasFiles) await swap(staging, media)
  } catch (error) {
    await secrets?.undo()
    throw error
  }
  try {
    await client.query('commit')
  } catch (error) {
    // It may be committed all the same: the line was lost after that was asked for.
    if (!(await isThere(databaseUrl))) {
      if (hasFiles) await rename(media, staging)
      await secrets?.undo()
      throw error
    }
  }
  return {
    at: beginning.at,
    version: beginning.version,
    manifest,
    strangers,
    calmed,
    replaced: secrets?.replaced ?? null,
  }
}

type FileName = Extract<MemberName, { id: string }>

/** E-mails and tokens are sealed with it: with another one nobody could sign in. */
function checkDataKey({ beginning }: BackupReader, { dataKey, dataKeyIsGiven }: RestoreOptions): void {
  if (fingerprintDataKey(dataKey) === beginning.dataKeyPrint) return
  if (beginning.secrets === null) throw new BackupFault('BACKUP_OTHER_DATA_KEY')
  if (dataKeyIsGiven) throw new BackupFault('BACKUP_DATA_KEY_GIVEN')
}

/** What is only half received belongs to nobody. Only a folder beside the staging one takes its place in one step. */
async function checkFolder(media: string, dataDir: string): Promise<void> {
  const there = await lstat(media).catch(() => null)
  const beside = await stat(dataDir).catch(() => null)
  if (there && !(there.isDirectory() && there.dev === beside?.dev))
    throw new BackupFault('BACKUP_FOLDER_APART', { where: media })
  const names = await readdir(media).catch(() => [])
  if (names.some(name => name !== 'incoming')) throw new BackupFault('BACKUP_FOLDER_NOT_EMPTY', { where: media })
}

/** Whatever lies there by now is somebody's, and stays. */
async function swap(staging: string, media: string): Promise<void> {
  for (const folder of await readdir(staging)) await syncFolder(join(staging, folder))
  await syncFolder(staging)
  await rm(join(media, 'incoming'), { recursive: true, force: true })
  await rename(staging, media).catch(error => {
    if (error.code === 'EBUSY' || error.code === 'EXDEV') throw new BackupFault('BACKUP_FOLDER_APART', { where: media })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    throw new BackupFault('BACKUP_FOLDER_NOT_EMPTY', { where: media })
  })
  await syncFolder(dirname(media))
}

/** Names outlive a power cut, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Whether the tables are there, asked anew once the restore's own session has ended. Files stay where nobody can say. */
async function isThere(databaseUrl: string): Promise<boolean> {
  return runOnSession(databaseUrl, undefined, async client => {
    await acquireMigrationLock(client, 'pg_try_advisory_lock')
    return (await findExistingObject(client)) !== null
  })
}

const LOOK_EVERY = 4 * 1024 * 1024

/** Files lie in the staging folder as they will in `media`. */
async function writeFile(staging: string, { kind, id }: FileName, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  if (!/^[A-Za-z0-9_-]{10,64}$/.test(id)) throw new BackupFault('BACKUP_DAMAGED', { what: id.slice(0, 64) })
  const whole = join(staging, getMediaPath('', id).slice('media/'.length))
  const path = kind === 'file' ? whole : getThumbPath(whole)
  try {
    await mkdir(dirname(path), { recursive: true, mode: OURS_ALONE })
    const file = await open(path, 'wx')
    try {
      let lookAt = 0
      let size = 0
      for await (const chunk of bytes) {
        if (size >= lookAt) {
          await ensureDiskSpace(staging, chunk.length)
          lookAt = size + LOOK_EVERY
        }
        size += chunk.length
        for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
      }
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw toNoSpaceFault(dirname(staging), error)
  }
}
