// What our own code could not digest: kept with its error and shown as a card where it belongs, so nobody waits for a message that vanished.

import { resolveContact } from '../../desk/contacts/identity.ts'
import type { ChannelEvent } from '../../platform/channel/driver.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { createInboxBatch, type InboxResult, type ReceivingConnection } from './batch.ts'
import { toFaultReason } from './faults.ts'
import { shortenKey } from './keys.ts'
import { applyMessages } from './messages.ts'

/** Records the event with the error; a message also leaves a card of the kind `unknown`. Fails only if the database does. */
export async function storeFailedEvent(
  db: Db,
  connection: ReceivingConnection,
  arrived: readonly { key: string | null; event: ChannelEvent }[],
  error: unknown,
): Promise<InboxResult> {
  let stored = 0
  for (const { key, event } of arrived) {
    const payload = serializeEvent(event)
    const known = key ?? `odd:${event.type}:${Bun.hash(payload).toString(36)}`
    const rows = await db.transaction(
      tx => getSql(tx)`
      insert into raw_event (whatsapp_id, key, payload, error) values (${connection.id}, ${known}, ${payload}, ${toFaultReason(error)})
      on conflict (whatsapp_id, key) do nothing returning 1`,
    )
    if (rows.length > 0) stored++
    if (rows.length > 0 && event.type === 'message') await leaveCard(db, connection, event, known)
  }
  return {
    stored,
    repeated: arrived.length - stored,
    undigested: stored,
    messages: [],
    withMedia: false,
    answered: false,
  }
}

/** What can be written down of it. */
function serializeEvent(event: ChannelEvent): string {
  try {
    return JSON.stringify(event).replaceAll('\\u0000', '')
  } catch {
    return JSON.stringify({ type: event.type })
  }
}

async function leaveCard(
  db: Db,
  connection: ReceivingConnection,
  event: Extract<ChannelEvent, { type: 'message' }>,
  key: string,
): Promise<void> {
  const settings = await readSettings(db)
  const { media: _media, quote: _quote, name: _name, ...bare } = event
  try {
    await db.transaction(async tx => {
      await resolveContact(tx, event.chat)
      await applyMessages(createInboxBatch(tx, connection.id, settings), [
        { ...bare, ref: { ...bare.ref, id: shortenKey(bare.ref.id) }, mediaType: 'unknown', body: '', raw: null },
      ])
    })
  } catch (error) {
    // The raw event stands with its first error; that even the card failed is added to it.
    await db.$client`
      update raw_event set error = error || ${` · card: ${toFaultReason(error)}`} where whatsapp_id = ${connection.id} and key = ${key}`
  }
}
