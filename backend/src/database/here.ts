// The database of this machine's installation, for commands of whoever runs it: the desk may run meanwhile, or not.
import { type Config, readConfig } from '../config.ts'
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { databaseOf } from './own.ts'

export interface Here {
  readonly db: Db
  readonly url: string
  readonly config: Config
}

/** Opens the database the environment names, for as long as `work` goes on. Throws `ConfigError`, `NoDatabaseHere`. */
export async function withDatabaseHere<T>(
  env: Readonly<Record<string, string | undefined>>,
  work: (here: Here) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  const { url, engine } = await databaseOf(config)
  const db = openDatabase(url, { max: 2 })
  try {
    return await work({ db, url, config })
  } finally {
    await closeDatabase(db)
    if (engine && !engine.wasRunning) await engine.stop()
  }
}
