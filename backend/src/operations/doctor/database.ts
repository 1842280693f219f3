// The database: what it is, whether it has what we need, and who makes others wait.
import { getSql } from '../../platform/database/raw.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

/** Older ones get no more corrections. */
const OLDEST = 15
const NEEDED = ['pg_trgm', 'unaccent']
const SLOW_S = 5
const OPEN_S = 60
/** Postgres stops taking writes at about 2,147 million. */
const OLD_ROWS = 1_000_000_000

export async function checkDatabase({ db }: CheckContext): Promise<readonly CheckFinding[]> {
  const sql = getSql(db)
  const began = performance.now()
  const [row] = await sql<Facts[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      coalesce(array(select extname::text from pg_extension), '{}') as extensions, pg_encoding_to_char(d.encoding)::text as encoding,
      coalesce(d.datcollversion, '') as "madeWith", coalesce(pg_database_collation_actual_version(d.oid), '') as "runsWith",
      d.datctype::text as locale, lower('Á') = 'á' as folds, current_setting('max_connections')::int as most, (select count(*)::int from pg_stat_activity) as used,
      pg_database_size(d.oid)::float8 as bytes, age(d.datfrozenxid)::float8 as "oldRows"
    from pg_database d where d.datname = current_database()`
  const [busy] = await sql<Busy[]>`
    select count(*) filter (where state = 'active' and query_start < clock_timestamp() - make_interval(secs => ${SLOW_S}))::int as slow,
      coalesce(max(extract(epoch from clock_timestamp() - query_start)) filter (where state = 'active'), 0)::int as "slowSeconds",
      count(*) filter (where xact_start < clock_timestamp() - make_interval(secs => ${OPEN_S}))::int as open,
      coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::int as "openSeconds"
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  if (!row || !busy) throw new Error('The database says nothing of itself')
  const ms = Math.round(performance.now() - began)
  const missing = NEEDED.filter(name => !row.extensions.includes(name))
  const { version, number, bytes, encoding, folds, locale, madeWith, runsWith, used, most, oldRows } = row
  return [
    { code: 'database.version', level: number < OLDEST * 10_000 ? 'warning' : 'ok', params: { version, bytes, ms } },
    {
      code: 'database.extensions',
      level: missing.length > 0 ? 'danger' : 'ok',
      params: { names: (missing.length > 0 ? missing : NEEDED).join(', ') },
    },
    { code: 'database.encoding', level: encoding === 'UTF8' && folds ? 'ok' : 'danger', params: { encoding, locale } },
    { code: 'database.collation', level: madeWith === runsWith ? 'ok' : 'warning', params: { madeWith, runsWith } },
    {
      code: 'database.connections',
      level: toLevel(used / most, { warning: 0.8, danger: 0.95 }),
      params: { used, most },
    },
    {
      code: 'database.slow',
      level: toLevel(busy.slow, { warning: 1, danger: 10 }),
      params: { count: busy.slow, seconds: busy.slowSeconds },
    },
    {
      code: 'database.open',
      level: toLevel(busy.open, { warning: 1 }),
      params: { count: busy.open, seconds: busy.openSeconds },
    },
    {
      code: 'database.wraparound',
      level: toLevel(oldRows, { warning: OLD_ROWS, danger: 1.8 * OLD_ROWS }),
      params: { millions: Math.round(oldRows / 1e6) },
    },
  ]
}

interface Facts {
  readonly version: string
  readonly number: number
  readonly extensions: string[]
  readonly encoding: string
  /** The versions of the library that sorts: when the database was made, and now. */
  readonly madeWith: string
  readonly runsWith: string
  readonly locale: string
  /** Whether it knows capitals with accents: searches need it. */
  readonly folds: boolean
  readonly most: number
  readonly used: number
  readonly bytes: number
  readonly oldRows: number
}

interface Busy {
  readonly slow: number
  readonly slowSeconds: number
  readonly open: number
  readonly openSeconds: number
}
