// A database connection of its own for what streams whole tables: the driver `pg`, because postgres.js stands still while somebody
// downstream takes his time.
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { OURS } from '../../platform/database/client.ts'

/** How values are written is the session's business: the same on every server. */
const ALIKE = `
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set extra_float_digits = 1; set bytea_output = 'hex'; set xmloption = 'content'; set row_security = off;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set max_parallel_workers_per_gather = 0`

/** Runs something on a connection that ends with it; an ended signal ends whatever it is at. */
export async function runOnSession<T>(
  url: string,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const client = new pg.Client({
    connectionString: url,
    application_name: `${OURS}-backup`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // Who waits for an answer hears of it there; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  const stop = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    await client.query(ALIKE)
    // Who went away is noticed in the middle of a long statement, too, where the system can tell.
    await client.query("set client_connection_check_interval = '1s'").catch(() => {})
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await client.end().catch(() => {})
  }
}

export interface CopyStream extends AsyncIterable<Uint8Array> {
  /** How many have come so far. */
  readonly rowCount: number
}

const END_OF_LINE = 10

/** The rows of a statement as Postgres writes them in text, one a line. */
export function copyOut(client: pg.Client, statement: string): CopyStream {
  const stream = client.query(copyTo(`copy (${statement}) to stdout`))
  // A connection that breaks while nobody reads is told to whoever reads next.
  stream.on('error', error => stream.destroy(error))
  let rowCount = 0
  return {
    get rowCount() {
      return rowCount
    },
    async *[Symbol.asyncIterator]() {
      for await (const bytes of stream) {
        // The driver's own count may come after the last row. An end of line within a value is written otherwise.
        for (let at = bytes.indexOf(END_OF_LINE); at >= 0; at = bytes.indexOf(END_OF_LINE, at + 1)) rowCount++
        yield bytes
      }
    },
  }
}

/** Puts rows into a table. */
export async function copyIn(client: pg.Client, statement: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(rows, client.query(copyFrom(statement)))
}
