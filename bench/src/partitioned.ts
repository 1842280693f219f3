// Partitioned copies of tables in the place of the tables themselves, in a database that is thrown away: what the product asks is then asked
// of them. Keys and unique indexes get the key of the partitions, which Postgres demands; what points to the table alone by its id goes.
import type postgres from 'postgres'

export interface Layout {
  readonly name: string
  /** What each of these tables is cut by. */
  readonly tables: Readonly<Record<string, Cut>>
}

type Cut = { readonly column: string; readonly parts: number } & ({ readonly by: 'time' } | { readonly by: 'hash' })

/** What had to change, to be told. */
export interface Changes {
  /** Those that point to the table, which can only go. */
  readonly foreignKeys: readonly string[]
  /** Those that hold the key of the partitions now, and so are weaker. */
  readonly uniques: readonly string[]
  /** Those that a table in partitions does not take, and why. */
  readonly triggers: readonly string[]
}

export async function cutTable(sql: postgres.Sql, table: string, cut: Cut): Promise<Changes> {
  const whole = `${table}_whole`
  const indexes = await sql<
    { name: string; definition: string; unique: boolean; primary: boolean; columns: string[] }[]
  >`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisunique as unique, i.indisprimary as primary,
      array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = ${table}::regclass`
  const pointing = await sql<{ from: string; name: string }[]>`
    select conrelid::regclass::text as from, conname as name from pg_constraint
    where confrelid = ${table}::regclass and contype = 'f' and conparentid = 0`
  const triggers = await sql<{ name: string; definition: string }[]>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal`
  const columns = await sql<{ name: string }[]>`
    select quote_ident(attname) as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  for (const { from, name } of pointing) await sql.unsafe(`alter table ${from} drop constraint "${name}"`)
  await sql.unsafe(`alter table ${table} rename to ${whole}`)
  await sql.unsafe(`
    create table ${table} (like ${whole} including defaults including generated including identity including storage)
    partition by ${cut.by === 'time' ? 'range' : 'hash'} (${cut.column})`)
  await makeParts(sql, table, whole, cut)
  const names = columns.map(({ name }) => name).join(', ')
  await sql.unsafe(`set maintenance_work_mem = '1GB'`)
  await sql.unsafe(`insert into ${table} (${names}) overriding system value select ${names} from ${whole}`)
  await sql.unsafe(`
    select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${whole}));
    drop table ${whole} cascade`)
  const uniques: string[] = []
  for (const { name, definition, unique, primary, columns: own } of indexes) {
    const lacks = unique && !own.includes(cut.column)
    if (lacks) uniques.push(name)
    const all = [...own, ...(lacks ? [cut.column] : [])].join(', ')
    if (primary) await sql.unsafe(`alter table ${table} add primary key (${all})`)
    else await sql.unsafe(lacks ? definition.replace(`(${own.join(', ')})`, `(${all})`) : definition)
  }
  const failed: string[] = []
  for (const { name, definition } of triggers)
    await sql
      .unsafe(definition)
      .catch((error: unknown) => failed.push(`${name}: ${error instanceof Error ? error.message : error}`))
  await sql.unsafe(`vacuum (analyze) ${table}`)
  return { foreignKeys: pointing.map(({ from, name }) => `${from}.${name}`), uniques, triggers: failed }
}

async function makeParts(sql: postgres.Sql, table: string, whole: string, { by, column, parts }: Cut): Promise<void> {
  if (by === 'hash') {
    for (let n = 0; n < parts; n++)
      await sql.unsafe(
        `create table ${partName(table, n)} partition of ${table} for values with (modulus ${parts}, remainder ${n})`,
      )
    return
  }
  const bounds = await sql.unsafe<{ at: string }[]>(`
    select (first + (last - first) * n / ${parts})::text as at
    from (select min(${column}) as first, max(${column}) + interval '1 second' as last from ${whole}) edge, generate_series(0, ${parts}) n order by n`)
  for (let n = 0; n < parts; n++) {
    // What comes from now on belongs to the last.
    const until = n === parts - 1 ? 'maxvalue' : `'${bounds[n + 1]?.at}'`
    const from = n === 0 ? 'minvalue' : `'${bounds[n]?.at}'`
    await sql.unsafe(`create table ${partName(table, n)} partition of ${table} for values from (${from}) to (${until})`)
  }
}

function partName(table: string, n: number): string {
  return `${table}_p${String(n).padStart(2, '0')}`
}

/** The partition a relation is, if it is one of a table. */
export function isPartOf(table: string, relation: string): boolean {
  return new RegExp(`^${table}_p\\d+$`).test(relation)
}
