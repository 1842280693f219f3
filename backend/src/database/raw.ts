// Hand-written SQL inside a Drizzle database or transaction: the postgres.js client underneath, whose templates are prepared on the server.
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Db, Tx } from './client.ts'

/** The postgres.js client of a database or of a running transaction. Instants come as text, int8 as text. */
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

/**
 * An instant as Postgres writes it, as ISO 8601 in UTC.
 * @example isoOf('2026-11-21 09:26:00.5+00') // '2026-11-21T09:26:00.500Z'
 */
export function isoOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text)
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`
  return new Date(/[+-]\d\d$/.test(text) ? `${text.replace(' ', 'T')}:00` : text).toISOString()
}

/** The same for a column that may be empty. */
export function isoOrNull(text: string | null): string | null {
  return text === null ? null : isoOf(text)
}
