// Whose turn it is. One process at a time delivers to an address: it holds the row for a while, and a process that dies gives it back by the clock.
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { writeLog } from '../../policy/log/write.ts'
import { loadWebhooks } from './list.ts'

/** An address while a process has it. */
export interface WebhookTurn {
  readonly id: number
  readonly turn: number
  readonly address: string
  readonly secretSealed: string
  readonly oldSecretSealed: string | null
  readonly fields: readonly string[]
  readonly failures: number
}

/** What became of a turn: something came through, nothing did, there was nothing to do, or nobody is there for good. */
export type TurnResult = 'through' | 'failed' | 'idle' | 'gone'

/** Longer than a turn may take, with its last call. */
const LEASE_SECONDS = 90
/** Between two tries, as the Standard Webhooks specification proposes: three days in all. */
export const PAUSES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
const GIVEN_UP_AFTER = '3 days'
/** One that takes nothing more, because too much waits for its next try, is looked at again after this. */
const FULL_SECONDS = 5

/**
 * Takes addresses that something can be told by now, either those that answer or those that did not. They wait longest first. What stands in
 * its lane behind an older one that waits for its next try counts as little as in the turn: else each turn, with nothing to do, asks for the next.
 */
export async function claimTurns(db: Db, failing: boolean, limit: number): Promise<WebhookTurn[]> {
  if (limit <= 0) return []
  const sql = getSql(db)
  const rows = await sql<WebhookTurn[]>`
    update webhook set busy_until = now() + make_interval(secs => ${LEASE_SECONDS}), turn = turn + 1 where id in (
      select w.id from webhook w
      where w.active and (w.failures > 0) = ${failing} and coalesce(w.retry_at, '-infinity') <= now() and coalesce(w.busy_until, '-infinity') <= now()
        and (w.position < coalesce((select max(e.id) from webhook_event e), 0) or exists (
          select 1 from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending' and d.next_at <= now() and not ${isBehindWaitingSql(sql)}))
      order by w.retry_at nulls first, w.id limit ${limit} for update skip locked)
    returning id, turn::float8 as turn, address, secret_sealed as "secretSealed",
      case when old_secret_until > now() then old_secret_sealed end as "oldSecretSealed", fields, failures`
  return [...rows].sort((one, other) => one.id - other.id)
}

/** Whether a delivery `d` stands behind an older one of its lane that waits for its next try. */
export function isBehindWaitingSql(sql: postgres.Sql) {
  return sql`exists (
    select 1 from webhook_delivery o where o.webhook_id = d.webhook_id and o.lane = d.lane and o.state = 'pending'
      and o.id < d.id and o.next_at > now())`
}

/** Gives an address back. One that has failed for three days, or says that it is gone, is switched off, and administrators are told. */
export async function endTurn(db: Db, turn: WebhookTurn, result: TurnResult, retryAfter = 0): Promise<void> {
  // Of most turns nobody is told anything: one statement.
  if (result === 'through' && turn.failures === 0) {
    await writeTurnEnd(db, turn, result, retryAfter)
    return
  }
  await runInTransaction(db, async tx => {
    const isStopped = await writeTurnEnd(tx, turn, result, retryAfter)
    if (isStopped) await writeLog(tx, { action: 'webhook.stop', entityId: turn.id })
    const isChanged = result === 'failed' ? turn.failures === 0 : result === 'through'
    if (isStopped || isChanged) await publishWebhook(tx, turn.id)
  })
}

/** Whether the address was switched off by it. */
async function writeTurnEnd(
  db: Db | Tx,
  { id, turn, failures }: WebhookTurn,
  result: TurnResult,
  retryAfter: number,
): Promise<boolean> {
  const pause = Math.max(toPause(failures), retryAfter)
  const [row] = await getSql(db)<{ isStopped: boolean }[]>`
    with w as materialized (select * from webhook where id = ${id} and turn = ${turn} for no key update),
      stop as materialized (
        select active and (${result} = 'gone' or ${result} <> 'through' and failing_since < now() - ${GIVEN_UP_AFTER}::interval) is true as now from w)
    update webhook set busy_until = null,
      failures = case ${result} when 'through' then 0 when 'failed' then w.failures + 1 else w.failures end,
      failing_since = case ${result} when 'through' then null when 'failed' then coalesce(w.failing_since, now()) else w.failing_since end,
      retry_at = case when ${result} = 'through' then null
        when ${result} = 'failed' then now() + make_interval(secs => ${pause})
        when w.position < (select max(e.id) from webhook_event e) then now() + make_interval(secs => ${FULL_SECONDS}) else w.retry_at end,
      active = w.active and not stop.now, stopped_at = case when stop.now then now() else w.stopped_at end,
      stop_reason = case when not stop.now then w.stop_reason when ${result} = 'gone' then 'gone' else 'failing' end
    from w, stop where webhook.id = w.id
    returning stop.now as "isStopped"`
  return row?.isStopped === true
}

/** Tells administrators how an address stands now. */
export async function publishWebhook(tx: Tx, id: number): Promise<void> {
  await getSql(tx)`update webhook set version = version + 1 where id = ${id}`
  const [webhook] = await loadWebhooks(tx, [id])
  if (!webhook) return
  const event = { event: 'webhook', action: 'update', version: webhook.version, webhook } as const
  await appendEvent(tx, { to: 'admins' }, event)
}

/** Seconds until the next try, a little by chance: not everybody at once. */
export function toPause(failures: number): number {
  const pause = PAUSES_SECONDS[Math.min(failures, PAUSES_SECONDS.length - 1)] ?? 0
  return pause * (0.9 + Math.random() * 0.2)
}
