// Numbers in texts of a table that stays: they are taken out of every column of text and JSON, whatever it is.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { PageRange, RunningErasure } from './running.ts'

/** `erase_mentions` stands in the migrations: which columns a table has, and which says since when a row is there, the database knows. */
export async function eraseMentions(
  tx: Tx,
  table: string,
  { traces, startedAt }: RunningErasure,
  { from, until }: PageRange,
): Promise<number> {
  const [row] = await getSql(tx)<{ n: number }[]>`
    select erase_mentions(${table}::regclass, ${traces.pattern}, ${startedAt}::timestamptz, ${from}::tid, ${until}::tid)::float8 as n`
  return row?.n ?? 0
}
