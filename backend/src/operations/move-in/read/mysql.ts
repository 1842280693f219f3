// Another desk's MySQL or MariaDB, read as it stands at one moment and never written to. It is read in pages, each behind the key of the one
// before: a server ends whoever takes longer over one long answer than its `net_write_timeout`, and here others go first.
import type { Source, SourceRow } from '../records.ts'
import type { SourceRows } from './dump.ts'

const PAGE = 1000
const CONNECT_SECONDS = 10
/** As MySQL's own programs name them in an address, by what the driver calls them. */
const TLS_MODES = [
  ['DISABLED', 'disable'],
  ['PREFERRED', 'prefer'],
  ['REQUIRED', 'require'],
  ['VERIFY_CA', 'verify-ca'],
  ['VERIFY_IDENTITY', 'verify-full'],
] as const

/** Hands over the rows of the tables that are there, in pieces. */
export async function readMysql(
  address: string,
  source: Source,
  signal: AbortSignal,
  take: (rows: SourceRows) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  const sql = connect(address)
  const stop = () => void sql.close({ timeout: 0 })
  signal.addEventListener('abort', stop)
  try {
    const client = await sql.reserve()
    // Instants of either kind of column are written as this desk writes those that have no zone.
    await client`set session time_zone = ${source.zone}`
    await client`set session transaction isolation level repeatable read`
    await client`start transaction with consistent snapshot, read only`.simple()
    for (const table of Object.keys(source.tables)) await readTable(client, source, table, take)
  } finally {
    signal.removeEventListener('abort', stop)
    await sql.close({ timeout: 0 })
  }
}

/** With TLS where the server has it, as MySQL's own programs do, or as `ssl-mode` says. */
function connect(address: string): Bun.SQL {
  const url = new URL(address)
  const mode = url.searchParams.get('ssl-mode')?.toUpperCase() ?? 'PREFERRED'
  return new Bun.SQL({
    url: address,
    adapter: 'mysql',
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    // Else the environment of the server's process would go before the address.
    database: decodeURIComponent(url.pathname.slice(1)),
    tls: TLS_MODES.find(([name]) => name === mode)?.[1] ?? 'verify-full',
  })
}

async function readTable(
  client: Bun.SQL,
  source: Source,
  table: string,
  take: (rows: SourceRows) => Promise<void>,
): Promise<void> {
  const { columns, key } = await describeTable(client, source, table)
  if (columns.length === 0) return
  const names = columns.map(column => `cast(${quote(column)} as char character set utf8mb4) as ${quote(column)}`)
  // With its table before it: a bare name in `order by` is the text that is selected under it, and 10 would stand before 2.
  const keyNames = key.map(column => `${quote(table)}.${quote(column)}`).join(', ')
  // What has no key are pairs of numbers: those come at once.
  const order = key.length === 0 ? '' : `order by ${keyNames} limit ${PAGE}`
  for (let after: unknown[] = []; ; ) {
    const where = after.length === 0 ? '' : `where (${keyNames}) > (${after.map(() => '?').join(', ')})`
    const rows: SourceRow[] = await client.unsafe(`select ${names} from ${quote(table)} ${where} ${order}`, after)
    await take({ table, rows })
    if (order === '' || rows.length < PAGE) return
    after = key.map(column => rows.at(-1)?.[column])
  }
}

/** Which of the wanted columns this version of it has, and those of its key. */
async function describeTable(
  client: Bun.SQL,
  source: Source,
  table: string,
): Promise<{ columns: readonly string[]; key: readonly string[] }> {
  const found: { name: string; place: number | null }[] = await client`
    select c.column_name as name, s.seq_in_index as place from information_schema.columns c
      left join information_schema.statistics s on s.table_schema = c.table_schema and s.table_name = c.table_name
        and s.column_name = c.column_name and s.index_name = 'PRIMARY'
    where c.table_schema = database() and c.table_name = ${table} order by s.seq_in_index`
  const wanted = new Set([...(source.tables[table]?.columns ?? []), source.companyColumn])
  const key = found.flatMap(({ name, place }) => (place === null ? [] : [name]))
  return { columns: found.map(({ name }) => name).filter(name => wanted.has(name) || key.includes(name)), key }
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
