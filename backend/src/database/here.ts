// The database of this machine's installation, for commands of whoever runs it: the desk may run meanwhile, or not.
import { type Config, readConfig } from '../config.ts'
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { DatabaseNotOurs, type Edition, needEdition } from './edition.ts'
import { lostIn } from './faults.ts'
import { databaseOf } from './own.ts'

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
  const { url, engine, close } = await databaseOf(config)
  try {
    await needEdition(url, wanted)
    return await work(url)
  } catch (error) {
    throw lost(error) ?? error
  } finally {
    await close()
    if (engine && !engine.wasRunning) await engine.stop()
  }
}

function lost(error: unknown): DatabaseNotOurs | null {
  const why = lostIn(error)
  return why === null ? null : new DatabaseNotOurs('lost', why, { cause: error })
}

/** Opens the database the environment names, for as long as `work` goes on. Throws `ConfigError`, `NoDatabaseHere`. */
export async function withDatabaseHere<T>(
  env: Readonly<Record<string, string | undefined>>,
  work: (here: Here) => Promise<T>,
  wanted: readonly Edition[] = [],
): Promise<T> {
  const config = readConfig(env)
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
