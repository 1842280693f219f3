// The small pool of connections that jobs run on.
import pg from 'pg'
import { OURS } from '../database/client.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release?: (why?: Error | boolean) => void,
) => void

/** A pool for graphile-worker on the database at `url`; `lost` hears of connections that broke. */
export function openJobsPool(url: string, lost: (error: Error) => void): pg.Pool {
  const pool = new JobsPool({
    connectionString: url,
    max: 10,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5000,
    application_name: `${OURS}-jobs`,
    statement_timeout: 120_000,
    idle_in_transaction_session_timeout: 10_000,
  })
  // Without listeners a lost connection would end the process.
  return pool.on('error', lost).on('connect', client => client.on('error', lost))
}

/**
 * Takes a connection back once, however often it is given. graphile-worker 0.18.0 gives the one it listens on back twice when that breaks
 * while its LISTEN is on the way and its workers are asked to stop: the second time pg's pool throws, inside a promise that nobody
 * awaits, and the process would end.
 */
class JobsPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (!connected) return super.connect()
    super.connect((error, client, release) => {
      let isBack = false
      connected(error, client, why => {
        if (isBack) return
        isBack = true
        release?.(why)
      })
    })
    return undefined
  }
}
