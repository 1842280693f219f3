// The database of this machine's installation, for commands of whoever runs it: the desk may run meanwhile, or not.
import { type Config, readConfig } from '../config.ts'
import { closeDatabase, type Db, openDatabase } from './client.ts'
import { databaseOf } from './own.ts'

export interface Here {
  readonly db: Db
  readonly url: string
  readonly config: Config
}

/** The address of an installation's database, for as long as `work` goes on; nothing of it runs on afterwards. Throws `NoDatabaseHere`. */
export async function withDatabaseOf<T>(
  config: Parameters<typeof databaseOf>[0],
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { url, engine, close } = await databaseOf(config)
  try {
    return await work(url)
  } finally {
    await close()
    if (engine && !engine.wasRunning) await engine.stop()
  }
}

/** Opens the database the environment names, for as long as `work` goes on. Throws `ConfigError`, `NoDatabaseHere`. */
export async function withDatabaseHere<T>(
  env: Readonly<Record<string, string | undefined>>,
  work: (here: Here) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  return withDatabaseOf(config, async url => {
    const db = openDatabase(url, { max: 4 })
    try {
      return await work({ db, url, config })
    } finally {
      await closeDatabase(db)
    }
  })
}
