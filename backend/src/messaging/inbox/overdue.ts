// Messages nobody could read for too long: a card stands for each, so that nobody waits for an answer.
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxResult } from './batch.ts'
import { receiveEvents } from './receive.ts'

/** WhatsApp asks the sender's phone for it, which is mostly a matter of seconds. */
const PATIENCE = '2 minutes'

/** Shows a card for each that has waited long enough, whoever heard of it and whatever died since. */
export async function showUnreadableCards(db: Db, report: (received: InboxResult) => void): Promise<void> {
  const sql = getSql(db)
  const rows = await sql<{ whatsapp_id: number; key: string; payload: string }[]>`
    select whatsapp_id, key, payload from raw_event
    where waits_for is not null and key like 'u:%' and received_at < now() - ${PATIENCE}::interval order by received_at limit 500`
  for (const { whatsapp_id, key, payload } of rows) {
    const event: ChannelEvent = JSON.parse(payload)
    if (event.type === 'unreadable') report(await receiveEvents(db, { id: whatsapp_id }, [event.card]))
    await sql`update raw_event set waits_for = null where whatsapp_id = ${whatsapp_id} and key = ${key}`
  }
}
