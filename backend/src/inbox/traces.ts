// Receipts that name what went out with a send: they find a message whose provider id nobody wrote down, because the answer was lost.
import { sqlOf } from '../database/raw.ts'
import type { AckEvent } from './acks.ts'
import type { Receiving } from './world.ts'

interface Found {
  readonly outbox_id: string
  readonly message_id: string
  readonly ticket_id: number
  readonly given: string
}

/**
 * Gives messages without a provider id the one their receipts name. A message that has another id was sent twice, by a person who was
 * asked: what its second self reached counts for it, what it was refused does not. Traces we do not know change nothing.
 */
export async function followTraces(world: Receiving, acks: readonly AckEvent[]): Promise<readonly AckEvent[]> {
  const traced = acks.flatMap(({ ref, trace }) => (trace ? [{ trace, given: ref.id }] : []))
  if (traced.length === 0) return acks
  const sql = sqlOf(world.tx)
  const found = await sql<Found[]>`
    select distinct on (o.id, x.given) o.id as outbox_id, m.id as message_id, m.ticket_id, x.given
    from jsonb_to_recordset(${JSON.stringify(traced)}::jsonb) as x(trace uuid, given text)
      join outbox o on o.trace = x.trace and o.whatsapp_id = ${world.connection.id} and o.operation = 'message'
      join message m on m.id = o.message_id and m.provider_id is distinct from x.given
    order by o.id, x.given`
  const names = new Map<string, string | null>()
  for (const one of found) names.set(one.given, await attach(world, one, reached(acks, one.given)))
  return acks.flatMap(ack => {
    const name = names.get(ack.ref.id)
    if (name === undefined || name === null || name === ack.ref.id) return [ack]
    return ack.ack === 'error' ? [] : [{ ...ack, ref: { ...ack.ref, id: name } }]
  })
}

function reached(acks: readonly AckEvent[], given: string): boolean {
  return acks.some(ack => ack.ref.id === given && ack.ack !== 'error' && ack.ack !== 'pending')
}

/** The id the message has then; null when it has none yet. Locks as the outbox does: its row, the ticket, the message. */
async function attach(world: Receiving, found: Found, wentOut: boolean): Promise<string | null> {
  const sql = sqlOf(world.tx)
  const [row] = await sql<{ state: string }[]>`select state from outbox where id = ${found.outbox_id} for update`
  // A person has asked for another try, which a refusal of the one before does not stop.
  if (!row || (row.state === 'queued' && !wentOut)) return null
  await sql`select 1 from ticket where id = ${found.ticket_id} for update`
  await sql`
    update message set provider_id = ${found.given} where id = ${found.message_id} and provider_id is null
      and not exists (select 1 from message e where e.whatsapp_id = ${world.connection.id} and e.provider_id = ${found.given})`
  const [message] = await sql<{ provider_id: string | null }[]>`
    select provider_id from message where id = ${found.message_id} for update`
  // It is with the customer already: the try that waits is not made, and the receipt settles it.
  if (row.state === 'queued' && message?.provider_id === found.given)
    await sql`update outbox set state = 'sending' where id = ${found.outbox_id}`
  return message?.provider_id ?? null
}
