// Whether a connection is there still: no live ticket begins on a deleted one.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** If so it is not deleted before the transaction is over; who deletes it meanwhile closes what was begun. */
export async function isConnectionPresent(tx: Tx, whatsappId: number): Promise<boolean> {
  const rows = await getSql(tx)`select 1 from whatsapp where id = ${whatsappId} and deleted_at is null for key share`
  return rows.length > 0
}
