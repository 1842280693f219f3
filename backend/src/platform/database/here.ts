// The database of this machine's installation, for commands of whoever runs it: the desk may run meanwhile, or not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, dataDirOf, readConfig } from '../config.ts'
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { DatabaseNotOurs, type Edition, needEdition } from './edition.ts'
import { lostIn } from './faults.ts'
import { databaseOf, OWN_DATABASE } from './own.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface Here {
  readonly db: Db
  readonly url: string
  readonly config: Config
}

/**
 * The address of an installation's database, for as long as `work` goes on; nothing of it runs on afterwards. Throws `NoDatabaseHere`, where
 * its tables are not this version's too, but for what is `wanted` beside these.
 */
export async function withDatabaseOf<T>(
  config: Parameters<typeof databaseOf>[0],
  work: (url: string) => Promise<T>,
  wanted: readonly Edition[] = [],
): Promise<T> {
  const { url, engine } = await databaseOf(config)
  try {
    await needEdition(url, wanted)
    return await work(url)
  } catch (error) {
    throw lost(error) ?? error
  } finally {
    if (engine && !engine.wasRunning) await engine.stop()
  }
}

function lost(error: unknown): DatabaseNotOurs | null {
  const why = lostIn(error)
  return why === null ? null : new DatabaseNotOurs('lost', why, { cause: error })
}

/** Opens the database the environment names, for as long as `work` goes on. Throws `ConfigError`, `NoDatabaseHere`. */
export async function withDatabaseHere<T>(
  env: Env,
  work: (here: Here) => Promise<T>,
  wanted: readonly Edition[] = [],
): Promise<T> {
  const config = wanted.includes('empty') ? readConfig(env) : configOfDesk(env)
  return withDatabaseOf(
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
 * in it. Throws `ConfigError`, `DatabaseNotOurs`.
 */
export function configOfDesk(env: Env): Config {
  const isGiven = Boolean(env.DATABASE_URL?.trim())
  if (!isGiven && !existsSync(join(dataDirOf(env), OWN_DATABASE))) throw new DatabaseNotOurs('empty')
  return readConfig(env)
}
