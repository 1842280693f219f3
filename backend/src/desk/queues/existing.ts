// Whether queues are there still: nothing is put into one that goes away meanwhile.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Whether all of them are, each named once; then they stay until the transaction is over. */
export async function areQueuesPresent(tx: Tx, queueIds: readonly number[]): Promise<boolean> {
  const rows = await getSql(tx)`select 1 from queue where id = any(${[...queueIds]}::int[]) order by id for key share`
  return rows.length === queueIds.length
}
