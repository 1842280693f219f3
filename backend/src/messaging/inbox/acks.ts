// Receipts for what we sent: they only grow, whatever their order, and they prove what a crash left unknown.
import { applyAck, type ErrorLog, type MessageState } from '@balcao/contract'
import { toIdentities } from '../../desk/contacts/names.ts'
import { refreshLastMessage } from '../../desk/messages/last-message.ts'
import { lockSends } from '../../desk/messages/lock-sends.ts'
import { publishMessageEvents } from '../../desk/messages/present.ts'
import { readAddress } from '../../platform/channel/addresses.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { sendFailures } from '../sends/events.ts'
import type { AckEvent, InboxBatch } from './batch.ts'
import { resolveReceiptTraces } from './traces.ts'

interface AckedMessage {
  readonly id: string
  readonly provider_id: string
  readonly state: MessageState
  readonly ticket_id: number
  readonly from_me: boolean
  readonly contact_id: number
}

/**
 * Applies receipts to our messages; a receipt for a message we do not know yet is kept until the message comes. Returns the ids that
 * messages got by them: what waits for one of these can be applied now.
 */
export async function applyAcks(receiving: InboxBatch, received: readonly AckEvent[]): Promise<readonly string[]> {
  const sql = getSql(receiving.tx)
  const { acks, named } = await resolveReceiptTraces(receiving, received)
  const ids = [...new Set(acks.map(ack => ack.ref.id))]
  const [, messages, owners] = await Promise.all([
    lockSends(
      receiving.tx,
      sql`m.whatsapp_id = ${receiving.connection.id} and m.provider_id = any(${ids}::text[])`,
      acks.some(({ ack }) => ack === 'error'),
    ),
    sql<AckedMessage[]>`
      select id, provider_id, state, ticket_id, from_me, contact_id from message
      where whatsapp_id = ${receiving.connection.id} and provider_id = any(${ids}::text[]) order by id for update`,
    contactsOfChats(receiving, acks),
  ])
  const known = new Map(messages.filter(message => message.from_me).map(message => [message.provider_id, message]))
  const changes: StateChange[] = []
  for (const [providerId, message] of known) {
    // One from the chat of somebody else says nothing; an address nobody is known by may be his.
    const mine = acks.filter(
      ack => ack.ref.id === providerId && [undefined, message.contact_id].includes(owners.get(ack.ref.chat)),
    )
    const state = mine.reduce((now, ack) => applyAck(now, ack.ack), message.state)
    if (state !== message.state)
      changes.push({
        id: Number(message.id),
        state,
        error: state === 'failed' ? toErrorLog(mine.find(ack => ack.ack === 'error')) : null,
        sent_at: findAckTime(mine, 'sent'),
        delivered_at: findAckTime(mine, 'delivered'),
        read_at: findAckTime(mine, 'read'),
      })
  }
  for (const ack of acks) if (!known.has(ack.ref.id)) await waitForMessage(receiving, ack)
  if (changes.length > 0) await setStates(receiving, changes)
  return named
}

/** Whose chats the receipts came from, where that is known. */
async function contactsOfChats(receiving: InboxBatch, acks: readonly AckEvent[]): Promise<ReadonlyMap<string, number>> {
  const names = [...new Set(acks.map(ack => ack.ref.chat))].flatMap(chat =>
    toIdentities(readAddress(chat)).map(name => ({ ...name, chat })),
  )
  const rows = await getSql(receiving.tx)<{ chat: string; contact_id: number }[]>`
    select n.chat, i.contact_id from jsonb_to_recordset(${toJsonbText(names)}::jsonb) as n(chat text, kind text, value text)
      join contact_identity i on i.kind = n.kind and i.value = n.value`
  return new Map(rows.map(row => [row.chat, row.contact_id]))
}

/** A state with the times at which its steps were reached, where they are told. */
interface StateChange {
  readonly id: number
  readonly state: MessageState
  readonly error: ErrorLog | null
  readonly sent_at: string | null
  readonly delivered_at: string | null
  readonly read_at: string | null
}

/** When a step was reached, by the provider's clock where it tells the time. */
function findAckTime(acks: readonly AckEvent[], step: AckEvent['ack']): string | null {
  const found = acks.find(ack => ack.ack === step)
  return found ? new Date(found.at ?? Date.now()).toISOString() : null
}

/**
 * Moves messages to their new states, with the outbox rows they settle (one that was taken and then failed can be sent again),
 * the lists' previews and the live events.
 */
async function setStates(receiving: Pick<InboxBatch, 'tx'>, changes: readonly StateChange[]): Promise<void> {
  const sql = getSql(receiving.tx)
  const ids = changes.map(change => change.id)
  await sql`
    update message m set state = x.state, error_log = x.error, version = m.version + 1,
      sent_at = coalesce(m.sent_at, x.sent_at), delivered_at = coalesce(m.delivered_at, x.delivered_at), read_at = coalesce(m.read_at, x.read_at)
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as x(id bigint, state text, error jsonb, sent_at timestamptz, delivered_at timestamptz, read_at timestamptz) where m.id = x.id`
  await sql`
    update outbox o set state = case when m.state = 'failed' then 'failed' else 'done' end, done_at = now()
    from message m where o.message_id = m.id and m.id = any(${ids}::bigint[]) and o.operation = 'message'
      and (o.state in ('sending', 'unknown') and m.state in ('sent', 'delivered', 'read', 'failed') or o.state = 'done' and m.state = 'failed')`
  await publishMessageEvents(receiving.tx, ids, 'update')
  await refreshLastMessage(receiving.tx, ids)
  await sendFailures(receiving.tx, toIds(changes.filter(({ state }) => state === 'failed')))
}

function toErrorLog(ack: AckEvent | undefined): ErrorLog {
  return {
    code: ack?.code ?? 'unknown',
    message: ack?.text ?? '',
    ...(ack?.details ? { error_data: { details: ack.details } } : {}),
  }
}

async function waitForMessage(receiving: InboxBatch, ack: AckEvent): Promise<void> {
  const key = `wait:a:${ack.ref.chat}:${ack.ref.id}:${ack.ack}`
  await getSql(receiving.tx)`
    insert into raw_event (whatsapp_id, key, payload, waits_for) values (${receiving.connection.id}, ${key}, ${JSON.stringify(ack)}, ${ack.ref.id}) on conflict do nothing`
}
