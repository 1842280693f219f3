// Connections in the form of the contract, and the live events that carry them: administrators get everything, others the brief form.
import {
  type Connection,
  type ConnectionBrief,
  type ConnectionStatus,
  type ConnectionTrouble,
  KIND_TABLE,
  type Kind,
  type LiveEvent,
  type QueueBrief,
} from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { isoOf, isoOrNull, sqlOf } from '../database/raw.ts'
import { appendEvents } from '../live/append.ts'
import type { Audience } from '../live/table.ts'

/** Connections by id, deleted ones left out; without ids all of them, by name. */
export async function loadConnections(db: Db | Tx, ids?: readonly number[]): Promise<Connection[]> {
  const sql = sqlOf(db)
  const rows = await sql<Row[]>`
    select w.*, coalesce(q.queues, '[]'::json) as queues,
      (select count(*)::int from outbox o where o.whatsapp_id = w.id and o.state in ('queued', 'sending')
        and o.operation = 'message') as waiting
    from whatsapp w left join lateral (
      select json_agg(json_build_object('id', queue.id, 'name', queue.name, 'color', queue.color)
        order by queue.custom_order, queue.name) as queues
      from whatsapp_queue x join queue on queue.id = x.queue_id where x.whatsapp_id = w.id
    ) q on true
    where w.deleted_at is null ${ids === undefined ? sql`` : sql`and w.id = any(${[...ids]}::int[])`}
    order by w.name, w.id`
  return rows.map(connectionOf)
}

/** What everybody may know of a connection. */
export function briefOf({ id, name, api, status, isDefault, trouble }: Connection): ConnectionBrief {
  return { id, name, api, status, isDefault, downSince: status === 'CONNECTED' ? null : (trouble?.since ?? null) }
}

/** Tells that connections changed: settings of it or its status (spec 1 §4 `whatsapp`, `whatsappSession`). */
export async function connectionEvents(tx: Tx, ids: readonly number[], action: 'create' | 'update'): Promise<void> {
  const events: { event: LiveEvent; audience: Audience }[] = []
  for (const whatsapp of await loadConnections(tx, ids)) {
    const { version } = whatsapp
    const event = { event: 'whatsapp' as const, action, version }
    events.push({ event: { ...event, whatsapp }, audience: { to: 'admins' } })
    events.push({ event: { ...event, whatsapp: briefOf(whatsapp) }, audience: { to: 'others' } })
    const session = { event: 'whatsappSession' as const, action: 'update' as const, version, session: whatsapp }
    events.push({ event: session, audience: { to: 'admins' } })
  }
  await appendEvents(tx, events)
}

interface Row {
  id: number
  name: string
  api: Kind
  is_default: boolean
  nps: boolean
  status: ConnectionStatus
  battery: number | null
  number: string | null
  qrcode: string | null
  qr_expires_at: string | null
  pair_code: string | null
  retries: number
  trouble: ConnectionTrouble | null
  waiting: number
  last_message_at: string | null
  updated_at: string
  queues: QueueBrief[]
  greeting_message: string
  greeting_bot_message: string
  greeting_message_redirect: string
  farewell_message: string
  nps_message: string
  nps_tks_message: string
  meta_integration: boolean
  phone_number_id: string
  waba_id: string
  token_sealed: string | null
  public_dns_typebot?: string
  public_id_typebot?: string
  version: string
}

function connectionOf(row: Row): Connection {
  const { webhookPath, can } = KIND_TABLE[row.api]
  return {
    id: row.id,
    name: row.name,
    isDefault: row.is_default,
    nps: row.nps,
    api: row.api,
    status: row.status,
    battery: row.battery,
    number: row.number,
    qrcode: row.qrcode,
    qrExpiresAt: isoOrNull(row.qr_expires_at),
    pairCode: row.pair_code,
    retries: row.retries,
    trouble: row.trouble,
    waiting: row.waiting,
    lastMessageAt: isoOrNull(row.last_message_at),
    updatedAt: isoOf(row.updated_at),
    queues: row.queues,
    queueIds: row.queues.map(queue => queue.id),
    greetingMessage: row.greeting_message,
    greetingBotMessage: row.greeting_bot_message,
    greetingMessageRedirect: row.greeting_message_redirect,
    farewellMessage: row.farewell_message,
    npsMessage: row.nps_message,
    npsTksMessage: row.nps_tks_message,
    metaIntegration: row.meta_integration,
    phoneNumberId: row.phone_number_id,
    wabaId: row.waba_id,
    hasToken: row.token_sealed !== null,
    publicDNSTypebot: row.public_dns_typebot ?? '',
    publicIDTypebot: row.public_id_typebot ?? '',
    webhookUrl: webhookPath ? `/webhooks/${webhookPath}/${row.id}` : null,
    capabilities: can,
    version: Number(row.version),
  }
}
