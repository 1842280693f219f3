// The database of an installation: the one it was given, or one of its own beside its files.
import { join } from 'node:path'
import postgres from 'postgres'
import type { Config } from '../config.ts'
import { type EmbeddedPostgres, ensurePostgres } from './embedded.ts'

export interface OwnDatabase {
  readonly url: string
  /** The server we started for it, or took over; null where one was given. */
  readonly engine: EmbeddedPostgres | null
}

/** Where one of its own lies in DATA_DIR. */
export const OWN_DATABASE = 'postgres'

/** `isGuest`: for a command that works beside the server. */
export async function openOwnDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  isGuest = false,
): Promise<OwnDatabase> {
  if (databaseUrl) return { url: databaseUrl, engine: null }
  const engine = await ensurePostgres({ dataDir: join(dataDir, OWN_DATABASE), isGuest })
  return { url: await ownDatabase(engine.url), engine }
}

/** The embedded server holds one database of ours beside its own. */
async function ownDatabase(serverUrl: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    const known = await sql`select 1 from pg_database where datname = 'balcao'`
    if (known.length === 0) await sql`create database balcao`
  } finally {
    await sql.end({ timeout: 5 })
  }
  const url = new URL(serverUrl)
  url.pathname = '/balcao'
  return url.href
}
