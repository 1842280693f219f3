// What was typed on the phone to somebody who has no conversation opens none (`CheckMsgFromCell`). It waits where it came in, and stands
// in the conversation that the answer opens, so that whoever takes it reads what was written.
import type { ChannelEvent, InboundMessage } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { InboxBatch } from './batch.ts'
import { toEventKey } from './keys.ts'

export interface UnansweredMessage {
  readonly contactId: number
  readonly event: InboundMessage
}

/** Lets them wait for an answer (retention.ts: a month). */
export async function storeUnanswered(
  { tx, connection }: InboxBatch,
  list: readonly UnansweredMessage[],
): Promise<void> {
  if (list.length === 0) return
  await getSql(tx)`
    update raw_event r set waits_for = 'answer:' || x.contact_id
    from unnest(${list.map(({ event }) => toEventKey(event) ?? '')}::text[], ${list.map(({ contactId }) => contactId)}::int[]) as x(key, contact_id)
    where r.whatsapp_id = ${connection.id} and r.key = x.key`
}

/** Those that waited for a contact who answers now, oldest first, those of one second as they came, as what they are by now: of before. */
export async function claimUnanswered({ tx, connection }: InboxBatch, contactId: number): Promise<InboundMessage[]> {
  const rows = await getSql(tx)<{ payload: string }[]>`
    with claimed as (
      update raw_event set waits_for = null
      where whatsapp_id = ${connection.id} and waits_for in (
        select 'answer:' || id from contact where id = ${contactId} or merged_into = ${contactId}) returning payload, received_at, key)
    select payload from claimed order by received_at, key`
  return rows
    .flatMap(({ payload }) => {
      const event: ChannelEvent = JSON.parse(payload)
      return event.type === 'message' ? event : []
    })
    .sort((a, b) => a.at - b.at)
}
