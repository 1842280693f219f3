// Counts what happens often to a connection, by the hour and without a statement for each: of what a killed process had not written
// yet nothing but the number is lost.
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { ConnectionCount } from './table.ts'

const WRITE_MS = 2000

interface ConnectionCountRow {
  readonly whatsappId: number
  readonly what: ConnectionCount
  count: number
  lastAt: string
}

const counted = new WeakMap<Db, Map<string, ConnectionCountRow>>()

/** One more of it, now. */
export function countOne(db: Db, whatsappId: number, counter: ConnectionCount): void {
  const waiting = counted.get(db) ?? beginning(db)
  const known = waiting.get(`${counter} ${whatsappId}`) ?? { whatsappId, what: counter, count: 0, lastAt: '' }
  known.count++
  known.lastAt = new Date().toISOString()
  waiting.set(`${counter} ${whatsappId}`, known)
}

function beginning(db: Db): Map<string, ConnectionCountRow> {
  const waiting = new Map<string, ConnectionCountRow>()
  counted.set(db, waiting)
  const timer = setTimeout(() => {
    counted.delete(db)
    writeCounts(db, [...waiting.values()]).catch(() => {})
  }, WRITE_MS)
  timer.unref()
  return waiting
}

/** Adds to what was counted in the same hour. A connection that is gone is passed over. */
export async function writeCounts(db: Db | Tx, all: readonly ConnectionCountRow[]): Promise<void> {
  const sql = getSql(db)
  for (const { whatsappId, what, count, lastAt } of all)
    await sql`
      insert into whatsapp_count (whatsapp_id, what, hour, count, last_at)
      select id, ${what}, date_trunc('hour', ${lastAt}::timestamptz), ${count}, ${lastAt} from whatsapp where id = ${whatsappId}
      on conflict (whatsapp_id, what, hour) do update set count = whatsapp_count.count + excluded.count,
        last_at = greatest(whatsapp_count.last_at, excluded.last_at)`
}
