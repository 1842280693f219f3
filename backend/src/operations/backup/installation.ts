// Backups by hand, on the server's machine and with its environment: what a terminal shows of them is the terminal's business.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lowerPriority } from '@balcao/formats/subprocess/low-priority'
import { getBucket } from '../../desk/media/bucket.ts'
import { readConfig, resolveDataDir } from '../../platform/config.ts'
import { hasOwnPostgres } from '../../platform/database/embedded.ts'
import { readDeskConfig, runWithDatabase } from '../../platform/database/installation.ts'
import { type BackupResult, createBackup } from './create.ts'
import { runWhileDiskHasSpace } from './disk-watch.ts'
import { toNoSpaceFault } from './fault.ts'
import { createFolderStorage } from './folder.ts'
import type { ProgressOptions } from './format.ts'
import { fingerprintDataKey, readBackupKey } from './key.ts'
import { removeAllLeftovers, removeLeftovers } from './leftovers.ts'
import { getBackupStorage, normalizeBackupPath, openSink, openSource } from './open-storage.ts'
import { type RestoreResult, restoreBackup } from './restore.ts'
import { removeScratchDatabases } from './scratch.ts'
import { pickSecrets } from './secrets.ts'
import { formatBackupName } from './storage.ts'
import { type VerifyResult, verifyBackup } from './verify.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface BackupCommand extends ProgressOptions {
  /** Where it is: a path, or `s3://bucket/name`. */
  readonly file: string
  /** Where its key stands; else `BALCAO_BACKUP_KEY`. */
  readonly keyFile?: string | undefined
  /** What a command that was killed left could not be removed: the next one, or the server, tries it again. */
  readonly warnOfLeftovers: (error: unknown) => void
}

export interface InstallationBackup extends BackupResult {
  readonly encrypted: boolean
}

/** Writes one; without a file where the daily ones go or into the present folder. Throws `BackupFault`, `ConfigError`, `DatabaseMissingError`. */
export async function createInstallationBackup(
  env: Env,
  command: Omit<BackupCommand, 'file'> & Partial<Pick<BackupCommand, 'file'>>,
): Promise<InstallationBackup> {
  lowerPriority()
  const key = await readBackupKey(command.keyFile, env)
  const config = readDeskConfig(env)
  const { dataDir, version, backup, dataKey, s3 } = config
  const bucket = getBucket(s3)
  const name = formatBackupName(fingerprintDataKey(dataKey).slice(0, 8), new Date(), key !== null)
  const { file } = command
  const place = getBackupStorage(backup) ?? createFolderStorage(resolve('.'))
  const to =
    file === undefined
      ? { where: place.where(name), sink: () => place.sink(name) }
      : { where: normalizeBackupPath(file), sink: () => openSink(backup, file) }
  const made = await runWithDatabase(config, async databaseUrl => {
    await removeAllLeftovers(dataDir, databaseUrl).catch(command.warnOfLeftovers)
    return createBackup({
      databaseUrl,
      dataDir,
      bucket,
      version,
      secrets: pickSecrets(config),
      key,
      gentle: true,
      ...to,
      ...watching(command),
    })
  })
  return { ...made, encrypted: key !== null }
}

/** Throws the same, and what is wrong with it. */
export async function verifyInstallationBackup(env: Env, command: BackupCommand): Promise<VerifyResult> {
  // The scratch server goes along.
  lowerPriority()
  const key = await readBackupKey(command.keyFile, env)
  const config = readConfig(env)
  const { dataDir, backup } = config
  const source = await openSource(backup, command.file)
  const verify = (server: { readonly serverUrl?: string }) =>
    verifyBackup({ source, key, dataDir, ...server, ...watching(command) })
  await removeLeftovers(dataDir).catch(command.warnOfLeftovers)
  if (hasOwnPostgres()) return verify({})
  // Beside the desk's own database, whatever that is: nothing of it is read.
  const beside = async (serverUrl: string) => {
    await removeScratchDatabases(serverUrl).catch(command.warnOfLeftovers)
    return verify({ serverUrl })
  }
  return runWithDatabase(config, beside, ['empty', 'older', 'newer'])
}

/** Throws the same; database and files are empty then as before. */
export async function restoreInstallation(env: Env, command: BackupCommand): Promise<RestoreResult> {
  const key = await readBackupKey(command.keyFile, env)
  const hasSecrets = existsSync(join(resolveDataDir(env), 'secrets.json'))
  const config = readConfig(env)
  const source = await openSource(config.backup, command.file)
  const { dataDir, dataKey } = config
  const hasBucket = config.s3 !== null
  const dataKeyIsGiven = Boolean(env.DATA_KEY?.trim())
  const restore = (databaseUrl: string, signal = command.signal) =>
    restoreBackup({
      ...{ source, key, databaseUrl, dataDir, hasBucket, dataKey, dataKeyIsGiven, hasSecrets },
      warnOfLeftovers: command.warnOfLeftovers,
      ...watching({ ...command, ...(signal && { signal }) }),
    })
  return runWithDatabase(
    config,
    databaseUrl =>
      config.databaseUrl === null
        ? runWhileDiskHasSpace(dataDir, command.signal, until => restore(databaseUrl, until))
        : restore(databaseUrl),
    // What is there already is said by the restore itself.
    ['empty', 'older', 'newer'],
  ).catch(error => {
    throw toNoSpaceFault(dataDir, error)
  })
}

function watching({ progress, signal }: ProgressOptions): ProgressOptions {
  return { ...(progress && { progress }), ...(signal && { signal }) }
}
