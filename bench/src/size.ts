// Bytes a desk takes: 20,000 contacts, 100,000 tickets of which 2,000 live, 510,000 messages, 10,000 of them in one conversation.
import postgres from 'postgres'
import type { Benchmark, Figure } from './benchmark.ts'
import { withDatabase } from './engine.ts'
import { measureLivedMessages } from './lived-messages.ts'
import { fillDesk, SECONDS_APART } from './seeded.ts'

const MEGABYTE = 1_000_000
/** The most all of it may take. */
const AIM = 190
const SHAPE = {
  ...{ tickets: 100_000, secondsApart: SECONDS_APART, contacts: 20_000, live: 2000 },
  messages: 'case n when 99999 then 10000 when 0 then 10 else 5 end',
  // As long as those of WhatsApp.
  providerId: "'3EB0' || upper(substr(md5(t.id || '-' || k), 1, 18))",
}

export const size: Benchmark = {
  name: 'size',
  about:
    'bytes by table and index of 100,000 tickets with 510,000 messages (--track=btree, brin or log: with a way to know what changed)',
  run: ({ track = '' }) =>
    withDatabase('size', async url => {
      await fillDesk(url, SHAPE)
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      try {
        const written = await measure(sql)
        return [...written, ...(await measureLivedMessages(sql, track))]
      } finally {
        await sql.end()
      }
    }),
}

/** Tables and indexes of less are told in the sum alone. */
const LEAST_TOLD = 0.5

async function measure(sql: postgres.Sql): Promise<Figure[]> {
  const [whole] = await sql<{ database: number; tables: number; message: number; messages: number }[]>`
    select pg_database_size(current_database())::float8 as database,
      (select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)::float8 as tables,
      pg_total_relation_size('message')::float8 as message, (select count(*) from message)::float8 as messages`
  const parts = await sql<{ label: string; bytes: number }[]>`
    select what as label, bytes::float8 as bytes from pg_class c
      cross join lateral (values (c.relname || ': all', pg_total_relation_size(c.oid), 0), (c.relname || ': heap', pg_relation_size(c.oid), 1),
        (c.relname || ': long values', case when c.reltoastrelid <> 0 then pg_total_relation_size(c.reltoastrelid) else 0 end, 2)) p (what, bytes, place)
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and bytes > ${LEAST_TOLD * MEGABYTE}
    union all
    select t.relname || ': index ' || c.relname, pg_relation_size(c.oid) from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid
      where t.relnamespace = 'public'::regnamespace and pg_relation_size(c.oid) > ${LEAST_TOLD * MEGABYTE}
    order by bytes desc`
  if (!whole) throw new Error('Postgres does not say how large it is')
  const toFigure = (label: string, bytes: number): Figure => ({
    label,
    value: bytes / MEGABYTE,
    unit: 'MB',
    reference: { label: 'all tables', value: whole.tables / MEGABYTE },
  })
  return [
    {
      ...toFigure('all tables', whole.tables),
      reference: { label: 'the database', value: whole.database / MEGABYTE },
      aim: AIM,
    },
    { label: 'a message', value: whole.message / whole.messages, unit: 'bytes' },
    ...parts.map(({ label, bytes }) => toFigure(label, bytes)),
  ]
}
