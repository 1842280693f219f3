// Sends that wait for an hour or the next day: what they wait for may have changed.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Calendar, zone or limits changed, or one connection's alone: whatever waits for an hour is looked at anew. */
export async function wakeWaitingSends(tx: Tx, whatsappId: number | null = null): Promise<void> {
  await getSql(tx)`
    update send set not_before = null where state = 'waiting' and not_before is not null
      and (${whatsappId}::int is null or whatsapp_id = ${whatsappId}::int)`
}
