// Connections in the form of the contract, and the live events that carry them: administrators get everything, others the brief form.
import {
  type Connection,
  type ConnectionBrief,
  hasFlow,
  KIND_TABLE,
  type LiveEvent,
  type QueueBrief,
} from '@balcao/contract'
import { and, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { appendEvents } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { connections } from './table.ts'

const {
  wanted: _wanted,
  epoch: _epoch,
  deletedAt: _deletedAt,
  createdAt: _createdAt,
  savedVersion: _savedVersion,
  knownNumber: _knownNumber,
  numberSince: _numberSince,
  ...SHOWN
} = getTableColumns(connections)
const QUEUES = sql<QueueBrief[]>`(
  select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'color', q.color) order by q.custom_order, q.name), '[]')
  from whatsapp_queue x join queue q on q.id = x.queue_id where x.whatsapp_id = whatsapp.id)`
const WAITING = sql<number>`(select count(*)::int from outbox o
  where o.whatsapp_id = whatsapp.id and o.state in ('queued', 'sending') and o.operation = 'message')`

/** Connections by id, deleted ones left out; without ids all of them, by name. */
export async function loadConnections(db: Db | Tx, ids?: readonly number[]): Promise<Connection[]> {
  const named = ids && inArray(connections.id, [...ids])
  const rows = await db
    .select({ ...SHOWN, queues: QUEUES, waiting: WAITING })
    .from(connections)
    .where(and(isNull(connections.deletedAt), named))
    .orderBy(connections.name, connections.id)
  return rows.map(({ config, ...row }) => {
    const { webhookPath, can } = KIND_TABLE[row.api]
    return {
      ...row,
      queueIds: toIds(row.queues),
      metaIntegration: config.metaIntegration === true,
      phoneNumberId: String(config.phoneNumberId ?? ''),
      wabaId: String(config.wabaId ?? ''),
      hasToken: config.tokenMeta !== undefined,
      webhookUrl: webhookPath && can.webhook ? `/webhooks/${webhookPath}/${row.id}` : null,
      capabilities: can,
    }
  })
}

/** What everybody may know of a connection. */
export function toConnectionBrief(connection: Connection): ConnectionBrief {
  const { id, name, api, status, isDefault, trouble, queueIds } = connection
  const downSince = status === 'CONNECTED' ? null : (trouble?.since ?? null)
  return { id, name, api, status, isDefault, downSince, hasFlow: hasFlow(connection), queueIds }
}

/** Tells that connections changed: settings of it or its status (spec 1 §4 `whatsapp`, `whatsappSession`). */
export async function publishConnectionEvents(
  tx: Tx,
  ids: readonly number[],
  action: 'create' | 'update',
): Promise<void> {
  const events: { event: LiveEvent; audience: Audience }[] = []
  for (const whatsapp of await loadConnections(tx, ids)) {
    const { version } = whatsapp
    const event = { event: 'whatsapp' as const, action, version }
    events.push({ event: { ...event, whatsapp }, audience: { to: 'admins' } })
    events.push({ event: { ...event, whatsapp: toConnectionBrief(whatsapp) }, audience: { to: 'others' } })
    const session = { event: 'whatsappSession' as const, action: 'update' as const, version, session: whatsapp }
    events.push({ event: session, audience: { to: 'admins' } })
  }
  await appendEvents(tx, events)
}
