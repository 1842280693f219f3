// Hand-written SQL inside a Drizzle database or transaction: the postgres.js client underneath, whose templates are prepared on the server.
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Db, Tx } from './client.ts'

/** The postgres.js client of a database or of a running transaction. Instants come as ISO text, int8 as text. */
export function sqlOf(db: Db | Tx): postgres.Sql {
  const { session } = db._
  if (session instanceof PostgresJsSession) return session.client
  throw new Error('Not a postgres.js database')
}

/** Whether the database is there. */
export async function answers(db: Db): Promise<boolean> {
  try {
    await sqlOf(db)`select 1`
    return true
  } catch {
    return false
  }
}
