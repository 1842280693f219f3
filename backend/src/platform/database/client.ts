import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'

export type Db = PostgresJsDatabase & { readonly $client: postgres.Sql }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

/**
 * What a pool is for: requests of people, what runs by itself (inbox, outbox, jobs), and live events with whether we are there.
 * Each has connections of its own, so that what is stuck in one stops none of the others (0145).
 */
export type Purpose = 'web' | 'work' | 'live'

interface Limits {
  readonly max: number
  /** In ms, kept by the server itself: a statement, the wait for a lock, and a transaction in which nothing happens. */
  readonly statement: number
  readonly lock: number
  readonly idle: number
}

const LIMITS: Record<Purpose, Limits> = {
  web: { max: 10, statement: 20_000, lock: 3000, idle: 10_000 },
  work: { max: 10, statement: 120_000, lock: 5000, idle: 10_000 },
  live: { max: 4, statement: 10_000, lock: 2000, idle: 5000 },
}

/** All sessions of the product are named so: live readers wait for their transactions, and for nobody else's for long. */
export const OURS = 'balcao'

/** A database that comes back is noticed within half a second; one that does not answer is given up after five. Notices are not for logs. */
const PATIENCE = {
  connect_timeout: 5,
  backoff: (tries: number) => Math.min(0.5, 0.02 * 2 ** tries),
  onnotice: () => {},
}

/** Opens a pool on a database, without limits unless its purpose is named. */
export function openDatabase(url: string, options: { max?: number; purpose?: Purpose } = {}): Db {
  const limits = options.purpose && LIMITS[options.purpose]
  const client = postgres(url, {
    ...PATIENCE,
    max: options.max ?? limits?.max ?? 10,
    connection: {
      application_name: options.purpose ? `${OURS}-${options.purpose}` : OURS,
      ...(limits && {
        statement_timeout: limits.statement,
        lock_timeout: limits.lock,
        idle_in_transaction_session_timeout: limits.idle,
      }),
    },
    types: {},
  })
  addresses.set(client, url)
  const db = drizzle(client, { casing: 'snake_case' })
  // Afterwards: Drizzle has them come as Postgres writes them.
  client.options.parsers[TIMESTAMPTZ] = toIsoText
  return db
}

const TIMESTAMPTZ = 1184

/**
 * An instant as Postgres writes it, as ISO 8601 in UTC.
 * @example toIsoText('2026-11-21 09:26:00.5+00') // '2026-11-21T09:26:00.500Z'
 */
function toIsoText(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text)
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`
  return new Date(/[+-]\d\d$/.test(text) ? `${text.replace(' ', 'T')}:00` : text).toISOString()
}

/** One connection to the same database, to listen on; `closed` is also told of every try that failed. */
export function openListener(
  db: Db,
  told: { readonly notified: (name: string, payload: string) => void; readonly closed: () => void },
): postgres.Sql {
  return postgres(getDatabaseAddress(db), {
    ...PATIENCE,
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: `${OURS}-ear` },
    onnotify: told.notified,
    onclose: told.closed,
  })
}

const addresses = new WeakMap<postgres.Sql, string>()

/** Where a database is, for who needs a connection of another kind. */
export function getDatabaseAddress(db: Db): string {
  return addresses.get(db.$client) ?? ''
}

export async function closeDatabase(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 })
}
