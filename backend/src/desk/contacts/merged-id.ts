import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { NOBODY } from './table.ts'

/** Who a contact turned out to be, itself where it was not merged; null when it is gone. */
export async function resolveMergedId(db: Db | Tx, id: number): Promise<number | null> {
  const [row] = await getSql(db)<{ id: number }[]>`
    with recursive one as (
      select c.id, c.merged_into from contact c where c.id = ${id}
      union select c.id, c.merged_into from contact c join one on c.id = one.merged_into)
    select id from one where merged_into is null`
  return row?.id ?? null
}

/**
 * Locks who a contact turned out to be; that stays so until the transaction is over. One that was merged is not locked: who merges and who takes
 * it back hold those that live first.
 */
export async function lockMergedContact(tx: Tx, id: number, isAlone = false): Promise<number> {
  const sql = getSql(tx)
  const [row] = await sql<{ id: number; into: number | null }[]>`
    select c.id, c.merged_into as into from contact c
    where c.id = (select coalesce(nullif(o.merged_into, ${NOBODY}), o.id) from contact o where o.id = ${id})
    for ${isAlone ? sql`no key update` : sql`share`} of c`
  if (!row) return id
  // It was merged while its lock was waited for.
  return row.into ? lockMergedContact(tx, row.into, isAlone) : row.id
}
