// Receipts that name what went out with a send: they find a message whose provider id nobody wrote down, because the answer was lost.
import { getSql } from '../../platform/database/raw.ts'
import type { AckEvent, InboxBatch } from './batch.ts'

interface TracedMessage {
  readonly outbox_id: string
  readonly message_id: string
  readonly ticket_id: number
  readonly receipt_id: string
}

/**
 * Gives messages without a provider id the one their receipts name. A message that has another id was sent twice, by a person who was
 * asked: what its second self reached counts for it, what it was refused does not. Traces we do not know change nothing.
 * `named`: ids that messages got just now.
 */
export async function resolveReceiptTraces(
  receiving: InboxBatch,
  acks: readonly AckEvent[],
): Promise<{ readonly acks: readonly AckEvent[]; readonly named: readonly string[] }> {
  const traced = acks.flatMap(({ ref, trace }) => (trace ? [{ trace, receipt_id: ref.id }] : []))
  if (traced.length === 0) return { acks, named: [] }
  const sql = getSql(receiving.tx)
  const found = await sql<TracedMessage[]>`
    select distinct on (o.id, x.receipt_id) o.id as outbox_id, m.id as message_id, m.ticket_id, x.receipt_id
    from jsonb_to_recordset(${JSON.stringify(traced)}::jsonb) as x(trace uuid, receipt_id text)
      join outbox o on o.trace = x.trace and o.whatsapp_id = ${receiving.connection.id} and o.operation = 'message'
      join message m on m.id = o.message_id and m.provider_id is distinct from x.receipt_id
    order by o.id, x.receipt_id`
  const names = new Map<string, Name>()
  for (const one of found) names.set(one.receipt_id, await attach(receiving, one, reached(acks, one.receipt_id)))
  const followed = acks.flatMap(ack => {
    const name = names.get(ack.ref.id)
    if (name === undefined || name === NONE || name === ack.ref.id) return [ack]
    return ack.ack === 'error' || name === OUTDATED ? [] : [{ ...ack, ref: { ...ack.ref, id: name } }]
  })
  return { acks: followed, named: [...names].flatMap(([id, name]) => (id === name ? [id] : [])) }
}

function reached(acks: readonly AckEvent[], input: string): boolean {
  return acks.some(ack => ack.ref.id === input && ack.ack !== 'error' && ack.ack !== 'pending')
}

/** The message's id after a receipt; it may have none, because the one told is another message's, or the receipt may speak of a try given up. */
type Name = string | typeof NONE | typeof OUTDATED
const NONE = Symbol('none')
const OUTDATED = Symbol('outdated')

/** Locks as everybody does: the ticket, the outbox row, the message. */
async function attach(receiving: InboxBatch, found: TracedMessage, wentOut: boolean): Promise<Name> {
  const sql = getSql(receiving.tx)
  await sql`select 1 from ticket where id = ${found.ticket_id} for update`
  const [row] = await sql<{ state: string }[]>`select state from outbox where id = ${found.outbox_id} for update`
  // A person has asked for another try, which a refusal of the one before does not stop.
  if (!row) return NONE
  if (row.state === 'queued' && !wentOut) return OUTDATED
  await sql`
    update message set provider_id = ${found.receipt_id} where id = ${found.message_id} and provider_id is null
      and not exists (select 1 from message e where e.whatsapp_id = ${receiving.connection.id} and e.provider_id = ${found.receipt_id})`
  const [message] = await sql<{ provider_id: string | null }[]>`
    select provider_id from message where id = ${found.message_id} for update`
  // It is with the customer already: the try that waits is not made, and the receipt settles it.
  if (row.state === 'queued' && message?.provider_id === found.receipt_id)
    await sql`update outbox set state = 'sending' where id = ${found.outbox_id}`
  return message?.provider_id ?? NONE
}
