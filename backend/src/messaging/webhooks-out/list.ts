// Webhooks and their deliveries, in the form of the contract.
import type { DeliveryState, ResponseBody, Webhook, WebhookData, WebhookDelivery } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { buildBody, redact } from './body.ts'

/** All of them, by name. */
export function listWebhooks(db: Db): Promise<Webhook[]> {
  return readWebhooks(db, null)
}

/** By id, in the order of the ids given. */
export async function loadWebhooks(db: Db | Tx, ids: readonly number[]): Promise<Webhook[]> {
  return sortByIds(ids, await readWebhooks(db, [...ids]))
}

/** Filters without the connections and queues that are gone: nothing of them comes any more. */
async function readWebhooks(db: Db | Tx, ids: number[] | null): Promise<Webhook[]> {
  return getSql(db)<Webhook[]>`
    select h.id, h.name, h.address, h.events, h.fields, h.active, h.stop_reason as "stopReason",
      h.failing_since as "failingSince", case when h.failures > 0 then h.retry_at end as "retryAt", h.version::int as version,
      case when h.connection_ids is not null then
        array(select w.id from whatsapp w where w.id = any(h.connection_ids) and w.deleted_at is null order by w.id) end as "connectionIds",
      case when h.queue_ids is not null then
        array(select q.id from queue q where q.id = any(h.queue_ids) order by q.id) end as "queueIds"
    from webhook h where ${ids}::int[] is null or h.id = any(${ids}::int[]) order by h.name collate "pt-BR-x-icu", h.id`
}

const PAGE = 30

interface DeliveryRow extends Omit<WebhookDelivery, 'request'> {
  readonly data: WebhookData
  readonly happenedAt: string
  readonly fields: readonly string[]
}

/** A page of what was sent to one address, the newest first. Throws `ERR_NOT_FOUND`. */
export async function listDeliveries(
  db: Db,
  webhookId: number,
  { cursor, state }: { readonly cursor?: string | undefined; readonly state?: DeliveryState | undefined },
): Promise<ResponseBody<'GET /integrations/:id/deliveries'>> {
  const [webhook] = await loadWebhooks(db, [webhookId])
  if (!webhook) throw new AppError('ERR_NOT_FOUND')
  const before = /^\d{1,15}$/.test(cursor ?? '') ? Number(cursor) : null
  const found = await getSql(db)<{ id: number }[]>`
    select d.id::float8 as id from webhook_delivery d
    where d.webhook_id = ${webhookId} and (${before}::float8 is null or d.id < ${before}::float8) and (${state ?? null}::text is null or d.state = ${state ?? null}::text)
    order by d.id desc limit ${PAGE + 1}`
  const ids = found.slice(0, PAGE).map(({ id }) => id)
  const hasMore = found.length > PAGE
  const nextCursor = hasMore ? String(ids.at(-1)) : null
  return { deliveries: await loadDeliveries(db, ids), hasMore, nextCursor }
}

/** By id, in the order of the ids given. */
export async function loadDeliveries(db: Db | Tx, ids: readonly number[]): Promise<WebhookDelivery[]> {
  const rows = await getSql(db)<DeliveryRow[]>`
    select d.id::float8 as id, d.uid as "webhookId", e.type, e.test, d.state, d.attempts, d.created_at as "createdAt", d.tried_at as "triedAt",
      case when d.state = 'pending' then d.next_at end as "nextAt", d.status, d.fault, d.milliseconds, d.answer,
      e.data, e.happened_at as "happenedAt", w.fields
    from webhook_delivery d join webhook_event e on e.id = d.event_id join webhook w on w.id = d.webhook_id
    where d.id = any(${[...ids]}::bigint[])`
  return sortByIds(ids, rows).map(({ data, happenedAt, fields, ...row }) => {
    const request = redact(buildBody({ type: row.type, data, happenedAt }, fields), data)
    return { ...row, request }
  })
}
