// The database of this machine's installation, for commands of whoever runs it: the desk may run meanwhile, or not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig, resolveDataDir } from '../config.ts'
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { checkEdition, type Edition, ForeignDatabaseError } from './edition.ts'
import { findFullDisk, findLostConnection } from './faults.ts'
import { OWN_DATABASE, openOwnDatabase } from './own-database.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Installation {
  readonly db: Db
  readonly url: string
  readonly config: Config
}

/**
 * The address of an installation's database, for as long as `work` goes on; nothing of it runs on afterwards. Throws `DatabaseMissingError`, where
 * its tables are not this version's too, but for what is `wanted` beside these.
 */
export async function runWithDatabase<T>(
  config: Parameters<typeof openOwnDatabase>[0],
  work: (url: string) => Promise<T>,
  wanted: readonly Edition[] = [],
): Promise<T> {
  const { url, engine } = await openOwnDatabase(config, true)
  try {
    await checkEdition(url, wanted)
    return await work(url)
  } catch (error) {
    throw toDatabaseFault(error) ?? error
  } finally {
    if (engine && !engine.wasRunning) await engine.stop()
  }
}

/** A full disk is told first: it is none that went away, however many of its words are alike. */
function toDatabaseFault(error: unknown): ForeignDatabaseError | null {
  const full = findFullDisk(error)
  if (full !== null) return new ForeignDatabaseError('full', full, { cause: error })
  const why = findLostConnection(error)
  return why === null ? null : new ForeignDatabaseError('lost', why, { cause: error })
}

/** Opens the database the environment names, for as long as `work` goes on. Throws `ConfigError`, `DatabaseMissingError`. */
export async function runWithInstallation<T>(
  env: Env,
  work: (here: Installation) => Promise<T>,
  wanted: readonly Edition[] = [],
): Promise<T> {
  const config = wanted.includes('empty') ? readConfig(env) : readDeskConfig(env)
  return runWithDatabase(
    config,
    async url => {
      const db = openDatabase(url, { max: 4 })
      try {
        return await work({ db, url, config })
      } finally {
        await closeDatabase(db)
      }
    },
    wanted,
  )
}

/**
 * The configuration of a desk that is there: whoever is in the wrong folder, or names none, is not to find the beginnings of another desk
 * in it. Throws `ConfigError`, `ForeignDatabaseError`.
 */
export function readDeskConfig(env: Env): Config {
  const isGiven = Boolean(env.DATABASE_URL?.trim())
  if (!isGiven && !existsSync(join(resolveDataDir(env), OWN_DATABASE))) throw new ForeignDatabaseError('empty')
  return readConfig(env)
}
