// Hand-written SQL inside a Drizzle database or transaction: the postgres.js client underneath, whose templates are prepared on the server.
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { type Db, getPageDatabase, type Tx } from './client.ts'

/** The postgres.js client of a database or of a running transaction. Instants come as ISO text, int8 as text. */
export function getSql(db: Db | Tx): postgres.Sql {
  const { session } = db._
  if (session instanceof PostgresJsSession) return session.client
  throw new Error('Not a postgres.js database')
}

/** Has the next query of this turn go behind this one over the same connection, in one write (0144); without our patch each goes by itself. */
export function joinNext<Query extends object>(query: Query): Query {
  if ('joinNext' in query && typeof query.joinNext === 'function') query.joinNext()
  return query
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

/** The statement of a page: planned once and as ranges of indexes, on the connections that are set so (`client.ts`). */
export const RANGES_ONLY = 'ranges'

/**
 * Rows of a statement that is planned in a way of its own. Settings are made for this transaction, and all four statements go to the server in
 * one go: waiting for each takes longer than they do.
 */
export async function queryWithPlan<Row extends object>(
  db: Db,
  settings: Statement | typeof RANGES_ONLY,
  query: Statement,
): Promise<readonly Row[]> {
  if (settings === RANGES_ONLY) {
    const pages = getSql(getPageDatabase(db))
    return pages<Row[]>`${query(pages)}`
  }
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
