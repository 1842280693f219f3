// Whether a database is one this version can work on, asked before a command of the server's machine reads or changes it.
import postgres from 'postgres'
import { DatabaseMissingError } from './folder.ts'
import { findLastMigration, MIGRATIONS, readNewestMigration } from './migrate.ts'

/** `empty`: no tables of ours · `older`, `newer`: those of another version. */
export type Edition = 'empty' | 'older' | 'ours' | 'newer'

const SAID = {
  away: 'The database cannot be used: {{why}}',
  lost: 'The database went away in the middle: {{why}}. Run it again when it is back',
  full: 'The disk of the database is full: {{why}}. Make room there, and run it again',
  empty: 'There is no desk in this database. Is it the right one (DATABASE_URL, DATA_DIR)? `migrate` makes the tables',
  older:
    'The tables are of an older version: use that version’s program, or run `migrate` first, as the newer server would',
  newer: 'The tables are of a newer version: use that version’s program',
} as const

/** What keeps a command from its database; the code says what it is, `why` is the database's own word. */
export class ForeignDatabaseError extends DatabaseMissingError {
  override readonly name = 'ForeignDatabaseError'

  constructor(
    readonly code: keyof typeof SAID,
    readonly why = '',
    options?: ErrorOptions,
  ) {
    super(SAID[code].replace('{{why}}', why), options)
  }
}

/** Throws `ForeignDatabaseError` where it does not answer or is none of these. */
export async function checkEdition(url: string, wanted: readonly Edition[]): Promise<void> {
  const edition = await detectEdition(url)
  if (edition !== 'ours' && !wanted.includes(edition)) throw new ForeignDatabaseError(edition)
}

async function detectEdition(url: string): Promise<Edition> {
  const client = postgres(url, { max: 1, connect_timeout: CONNECT_S, onnotice: () => {} })
  try {
    const at = await findLastMigration(client)
    const newest = readNewestMigration(MIGRATIONS)
    if (at === null) return 'empty'
    return at < newest ? 'older' : at > newest ? 'newer' : 'ours'
  } catch (error) {
    throw new ForeignDatabaseError('away', error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    await client.end({ timeout: 5 })
  }
}

const CONNECT_S = 10
