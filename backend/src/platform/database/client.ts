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
  web: { max: 8, statement: 20_000, lock: 3000, idle: 10_000 },
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

interface PoolOptions {
  readonly max?: number
  readonly purpose?: Purpose
  /** What its connections are set to besides, and who hears what Postgres remarks. */
  readonly connection?: Readonly<Record<string, string>>
  readonly onnotice?: (notice: postgres.Notice) => void
}

/** Opens a pool on a database, without limits unless its purpose is named. */
export function openDatabase(url: string, options: PoolOptions = {}): Db {
  const db = openPool(url, options)
  // None of its connections is made before a page is asked for.
  const connection = { ...options.connection, ...RANGES_ONLY }
  pageDatabases.set(db.$client, openPool(url, { ...options, max: Math.min(options.max ?? PAGES, PAGES), connection }))
  return db
}

function openPool(url: string, { purpose, max, connection, onnotice }: PoolOptions): Db {
  const limits = purpose && LIMITS[purpose]
  const client = postgres(url, {
    ...PATIENCE,
    ...(onnotice && { onnotice }),
    max: max ?? limits?.max ?? 10,
    connection: {
      application_name: purpose ? `${OURS}-${purpose}` : OURS,
      ...(limits && {
        statement_timeout: limits.statement,
        lock_timeout: limits.lock,
        idle_in_transaction_session_timeout: limits.idle,
      }),
      ...connection,
    },
    types: {},
  })
  addresses.set(client, url)
  const db = drizzle(client, { casing: 'snake_case' })
  // Afterwards: Drizzle has them come as Postgres writes them.
  client.options.parsers[TIMESTAMPTZ] = Object.assign(toIsoText, { read: readInstant })
  return db
}

/**
 * How the statements behind pages are planned: once for each connection, and only as ranges of indexes. What Postgres knows of how much somebody
 * has, and of how the rows lie, is old on a desk that lives: so it counts the rows of a range alone, and the narrowest range wins. As parameters
 * of connections of their own, this costs a statement nothing (docs/decisions/0269).
 */
const RANGES_ONLY = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  seq_page_cost: '0',
  random_page_cost: '0',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  default_transaction_read_only: 'on',
}
const PAGES = 4

const pageDatabases = new WeakMap<postgres.Sql, Db>()

/** The same database for the statements behind pages, which are planned once and as ranges of indexes; a transaction stays what it is. */
export function getPageDatabase<D extends Db | Tx>(db: D): Db | D {
  return ('$client' in db && pageDatabases.get(db.$client)) || db
}

const TIMESTAMPTZ = 1184

/**
 * An instant as Postgres writes it, as ISO 8601 in UTC.
 * @example toIsoText('2026-11-21 09:26:00.5+00') // '2026-11-21T09:26:00.500Z'
 */
function toIsoText(text: string): string {
  // Hundreds in each page: cut out of the text, which is quicker than an expression.
  if (text[10] === ' ' && text.endsWith('+00') && (text.length === 22 || text[19] === '.'))
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${`${text.slice(20, -3)}000`.slice(0, 3)}Z`
  return new Date(/[+-]\d\d$/.test(text) ? `${text.replace(' ', 'T')}:00` : text).toISOString()
}

/**
 * The same of the eight bytes of an instant: microseconds since 2000. Put together of parts that are known, as a page has 160 of them and a
 * `Date` takes three times as long.
 */
function readInstant(bytes: Buffer, at: number): string {
  const microseconds = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)
  const instant = YEAR_2000 + Math.floor(microseconds / 1000)
  const day = Math.floor(instant / DAY)
  const minute = Math.floor(instant / MINUTE)
  const inMinute = instant - minute * MINUTE
  const second = Math.floor(inMinute / 1000)
  return `${formatDay(day)}${MINUTES[minute - day * 1440]}${SECONDS[second]}.${THOUSANDTHS[inMinute - second * 1000]}Z`
}

const YEAR_2000 = Date.UTC(2000)
const DAY = 86_400_000
const MINUTE = 60_000
const padNumbers = (count: number, width: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(width, '0'))
const SECONDS = padNumbers(60, 2)
const THOUSANDTHS = padNumbers(1000, 3)
const MINUTES = padNumbers(24, 2).flatMap(hour => SECONDS.map(minute => `${hour}:${minute}:`))
/** Twenty-seven years of days. */
const MOST_DAYS = 10_000
const days = new Map<number, string>()

/** @example formatDay(20_000) // '2024-10-04T' */
function formatDay(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY).toISOString().replace(/T.*/, 'T')
  if (days.size < MOST_DAYS) days.set(day, text)
  return text
}

/** One connection to the same database, to listen on; `closed` is also told of every try that failed. */
export function openListener(
  db: Db,
  callbacks: { readonly notified: (name: string, payload: string) => void; readonly closed: () => void },
): postgres.Sql {
  return postgres(getDatabaseAddress(db), {
    ...PATIENCE,
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    connection: { application_name: `${OURS}-ear` },
    onnotify: callbacks.notified,
    onclose: callbacks.closed,
  })
}

const addresses = new WeakMap<postgres.Sql, string>()

/** Where a database is, for who needs a connection of another kind. */
export function getDatabaseAddress(db: Db): string {
  return addresses.get(db.$client) ?? ''
}

export async function closeDatabase(db: Db): Promise<void> {
  const { $client } = getPageDatabase(db)
  await Promise.all([db.$client, $client].map(client => client.end({ timeout: 5 })))
}
