// Backups by hand, on the server's machine and with its environment: what a terminal shows of them is the terminal's business.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stepBack } from '@balcao/formats/subprocess/step-back'
import { bucketOf } from '../../desk/media/bucket.ts'
import { dataDirOf, readConfig } from '../../platform/config.ts'
import { configOfDesk, withDatabaseOf } from '../../platform/database/here.ts'
import { type BackupMade, createBackup } from './create.ts'
import { noRoomIn } from './fault.ts'
import { folderPlace } from './folder.ts'
import type { Watching } from './format.ts'
import { backupKey, printOf } from './key.ts'
import { backupName } from './place.ts'
import { placeNamed, placeOf, sinkAt, sourceAt } from './places.ts'
import { type Restored, restoreBackup } from './restore.ts'
import { secretsOf } from './secrets.ts'
import { type Verified, verifyBackup } from './verify.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Asked extends Watching {
  /** Where it is: a path, or `s3://bucket/name`. */
  readonly file: string
  /** Where its key stands; else `BALCAO_BACKUP_KEY`. */
  readonly keyFile?: string | undefined
}

export interface MadeHere extends BackupMade {
  readonly encrypted: boolean
}

/** Writes one; without a file where the daily ones go or into the present folder. Throws `BackupFault`, `ConfigError`, `NoDatabaseHere`. */
export async function createHere(env: Env, asked: Partial<Asked> = {}): Promise<MadeHere> {
  stepBack()
  const key = await backupKey(asked.keyFile, env)
  const config = configOfDesk(env)
  const { dataDir, version, backup, dataKey, s3 } = config
  const bucket = bucketOf(s3)
  const name = backupName(printOf(dataKey).slice(0, 8), new Date(), key !== null)
  const { file } = asked
  const place = placeOf(backup) ?? folderPlace(resolve('.'))
  const to =
    file === undefined
      ? { where: place.where(name), sink: () => place.sink(name) }
      : { where: placeNamed(file), sink: () => sinkAt(backup, file) }
  const made = await withDatabaseOf(config, databaseUrl =>
    createBackup({
      databaseUrl,
      dataDir,
      bucket,
      version,
      secrets: secretsOf(config),
      key,
      gentle: true,
      ...to,
      ...watching(asked),
    }),
  )
  return { ...made, encrypted: key !== null }
}

/** Throws the same, and what is wrong with it. */
export async function verifyHere(env: Env, asked: Asked): Promise<Verified> {
  // The scratch server goes along.
  stepBack()
  const key = await backupKey(asked.keyFile, env)
  const { dataDir, backup } = readConfig(env)
  const source = await sourceAt(backup, asked.file)
  return verifyBackup({ source, key, dataDir, ...watching(asked) })
}

/** Throws the same; database and files are empty then as before. */
export async function restoreHere(env: Env, asked: Asked): Promise<Restored> {
  const key = await backupKey(asked.keyFile, env)
  const hasSecrets = existsSync(join(dataDirOf(env), 'secrets.json'))
  const config = readConfig(env)
  const source = await sourceAt(config.backup, asked.file)
  const { dataDir, dataKey } = config
  const hasBucket = config.s3 !== null
  const dataKeyIsGiven = Boolean(env.DATA_KEY?.trim())
  return withDatabaseOf(
    config,
    databaseUrl =>
      restoreBackup({
        source,
        key,
        databaseUrl,
        dataDir,
        hasBucket,
        dataKey,
        dataKeyIsGiven,
        hasSecrets,
        ...watching(asked),
      }),
    // What is there already is said by the restore itself.
    ['empty', 'older', 'newer'],
  ).catch(error => {
    throw noRoomIn(dataDir, error)
  })
}

function watching({ progress, signal }: Watching): Watching {
  return { ...(progress && { progress }), ...(signal && { signal }) }
}
