// Hand-written SQL inside a Drizzle database or transaction: the postgres.js client underneath, whose templates are prepared on the server.
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Db, Tx } from './client.ts'

/** The postgres.js client of a database or of a running transaction. Instants come as ISO text, int8 as text. */
export function getSql(db: Db | Tx): postgres.Sql {
  const { session } = db._
  if (session instanceof PostgresJsSession) return session.client
  throw new Error('Not a postgres.js database')
}

/** Whether the database is there. */
export async function isDatabaseReachable(db: Db): Promise<boolean> {
  try {
    await getSql(db)`select 1`
    return true
  } catch {
    return false
  }
}

type Statement = (sql: postgres.Sql) => postgres.PendingQuery<postgres.Row[]>

/**
 * Rows of a statement that is planned in a way of its own: `settings` sets it for this transaction. All four statements go to the
 * server in one go: waiting for each takes longer than they do.
 */
export async function queryWithPlan<Row extends object>(
  db: Db,
  settings: Statement,
  query: Statement,
): Promise<readonly Row[]> {
  const sql = await db.$client.reserve()
  try {
    const [begun, set, rows, ended] = await Promise.allSettled([
      sql`begin read only`,
      settings(sql),
      sql<Row[]>`${query(sql)}`,
      sql`commit`,
    ])
    for (const step of [begun, set, rows, ended]) if (step.status === 'rejected') throw step.reason
    return rows.status === 'fulfilled' ? rows.value : []
  } finally {
    sql.release()
  }
}

/**
 * How a statement behind a page is planned: once, and only as ranges of indexes. What Postgres knows of how much somebody has, and of how
 * the rows lie, is old on a desk that lives: so it counts the rows of a range alone, and the narrowest range wins.
 */
export const RANGES_ONLY = (sql: postgres.Sql) => sql`select set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
  set_config('seq_page_cost', '0', true), set_config('random_page_cost', '0', true), set_config('jit', 'off', true)`
