// Another desk's Postgres, read as it stands at one moment and never written to.
import type pg from 'pg'
import { copyOut, runOnSession } from '../../backup/session.ts'
import type { Source } from '../records.ts'
import { readCopyRow } from './copy-row.ts'
import type { SourceRows } from './dump.ts'
import { readLines } from './lines.ts'

/** Hands over the rows of the tables that are there, in pieces. */
export async function readPostgres(
  address: string,
  source: Source,
  signal: AbortSignal,
  take: (rows: SourceRows) => Promise<void>,
): Promise<void> {
  await runOnSession(address, signal, async client => {
    await client.query('begin transaction isolation level repeatable read read only')
    for (const table of Object.keys(source.tables)) {
      const columns = await findColumns(client, source, table)
      if (columns.length === 0) continue
      const names = columns.map(column => `"${column}"`).join(', ')
      for await (const lines of readLines(copyOut(client, `select ${names} from "${table}"`)))
        await take({ table, rows: lines.map(line => readCopyRow(line, columns)) })
    }
  })
}

/** Which of the wanted ones this version of it has. */
async function findColumns(client: pg.Client, source: Source, table: string): Promise<string[]> {
  const wanted = [...(source.tables[table]?.columns ?? []), source.companyColumn]
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attname = any($2) and not attisdropped and attnum > 0`,
    [`"${table}"`, [...new Set(wanted)]],
  )
  return rows.map(({ name }) => name)
}
