// Which tables there are, as the database itself says: a table that somebody adds is in the next backup without being named anywhere.
import type pg from 'pg'
import type { SequenceState, TableShape } from './format.ts'

/**
 * All tables of ours. Not those of the queue of jobs, whose form is its library's business: what a job was to do stands in our own tables
 * as well, and goes on from there. Nor the list of migrations, which the beginning of a backup has.
 */
export async function readTableShapes(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; order: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by k.at)
        from pg_index i cross join lateral unnest(i.indkey) with ordinality k(attnum, at)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as order
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`)
  // Without a key rows are sorted by all they have.
  return rows.map(({ name, columns, order }) => ({
    name,
    columns,
    order: order ?? columns.map(column => `${column}::text collate "C"`).join(', '),
  }))
}

export async function readSequenceStates(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'S' order by c.relname collate "C"`)
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    states.push(...found.map(state => ({ name, ...state })))
  }
  return states
}

/** The rows of a table in an order that is the same wherever they lie. */
export function tableRowsSql({ name, columns, order }: TableShape): string {
  return `select ${columns.join(', ')} from only ${name} order by ${order}`
}

/** Something that lies in a database already; null: it is empty. */
export async function findExistingObject(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relkind <> 'r', 1 limit 1`)
  return rows[0]?.name ?? null
}
