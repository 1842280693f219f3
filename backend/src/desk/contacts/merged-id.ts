import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Who a contact turned out to be, itself where it was not merged; null when it is gone. */
export async function resolveMergedId(db: Db | Tx, id: number): Promise<number | null> {
  const [row] = await getSql(db)<{ id: number }[]>`
    with recursive one as (
      select c.id, c.merged_into from contact c where c.id = ${id}
      union select c.id, c.merged_into from contact c join one on c.id = one.merged_into)
    select id from one where merged_into is null`
  return row?.id ?? null
}
