// A turn at one address: what happened since is put in its row of deliveries, and what is due is sent, in order within a lane.
import type { WebhookData } from '@balcao/contract'
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { tryUnseal } from '../../platform/seal.ts'
import { buildBody, redact } from './body.ts'
import { type CallOutcome, callWebhook, isDelivered } from './call.ts'
import { endTurn, type TurnResult, toPause, type WebhookTurn } from './turns.ts'

export interface DeliveryParts {
  readonly db: Db
  readonly config: Pick<Config, 'privateHosts' | 'version' | 'dataKey'>
  readonly log: Pick<Logger, 'warn'>
  /** The process ends: no call begins any more. */
  readonly isEnding?: () => boolean
}

/** So many wait at an address at most; of one that does not answer hardly any: they stay where they are once for all. */
const MOST_WAITING = 1000
const MOST_WAITING_FAILING = 20
const LANES_AT_ONCE = 8
const TURN_MS = 30_000
const PAGE = 200
/** A delivery that nobody takes is given up after this, while others go through. */
const GIVEN_UP_AFTER = '3 days'

/** Calls that end together, as those that nobody answers do, would take all connections at once, for which the inbox waits, too. */
const statements = createWaitingLine(2)

interface DueDelivery {
  readonly id: number
  readonly uid: string
  readonly lane: string
  readonly attempts: number
  readonly type: string
  readonly data: WebhookData
  readonly happenedAt: string
}

/** Delivers for a while, and gives the address back. */
export async function runTurn(parts: DeliveryParts, webhook: WebhookTurn): Promise<void> {
  await enqueueDeliveries(parts.db, webhook)
  const due = await statements.run(() => loadDue(parts.db, webhook))
  const secrets = openSecrets(parts.config, webhook)
  const lanes = [...Map.groupBy(due, ({ lane }) => lane).values()]
  const end = performance.now() + TURN_MS
  const seen: CallOutcome[] = []
  const goesOn = () => performance.now() < end && seen.every(isDelivered) && parts.isEnding?.() !== true

  async function sendLane(lane: readonly DueDelivery[]): Promise<void> {
    for (const delivery of lane) {
      if (!goesOn()) return
      const outcome = await sendDelivery(parts, webhook, secrets, delivery)
      seen.push(outcome)
      if (!isDelivered(outcome)) return
    }
  }

  async function sendLanes(): Promise<void> {
    for (let lane = lanes.shift(); lane; lane = lanes.shift()) await sendLane(lane)
  }

  // One that did not answer is asked with one lane first.
  if (webhook.failures > 0) lanes.splice(1)
  await Promise.all(Array.from({ length: LANES_AT_ONCE }, sendLanes))
  const retryAfter = Math.max(0, ...seen.map(outcome => outcome.retryAfter ?? 0))
  await statements.run(() => endTurn(parts.db, webhook, toResult(seen), retryAfter))
}

function toResult(seen: readonly CallOutcome[]): TurnResult {
  if (seen.some(({ status }) => status === 410)) return 'gone'
  if (seen.some(isDelivered)) return 'through'
  return seen.length > 0 ? 'failed' : 'idle'
}

/** Puts what this address is told of into its deliveries, and remembers how far it was looked; both or neither. */
async function enqueueDeliveries(db: Db, { id, turn, failures }: WebhookTurn): Promise<void> {
  const most = failures > 0 ? MOST_WAITING_FAILING : MOST_WAITING
  for (let isMore = true; isMore; ) {
    const enqueuePage = async (tx: Tx) => {
      const sql = getSql(tx)
      const [row] = await sql<{ waiting: number }[]>`
        select (select count(*)::int from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending') as waiting
        from webhook w where w.id = ${id} and w.turn = ${turn} for no key update of w`
      if (!row || row.waiting >= most) return false
      const next = await sql`
        with w as (select * from webhook where id = ${id}),
          next as (select e.* from webhook_event e, w where e.id > w.position order by e.id limit ${PAGE}),
          put as (
            insert into webhook_delivery (webhook_id, event_id, lane)
            select w.id, n.id, n.lane from next n, w
            where not n.test and n.happened_at >= w.since and n.type = any(w.events)
              and (w.connection_ids is null or n.connection_id = any(w.connection_ids))
              and (w.queue_ids is null or n.queue_id = any(w.queue_ids))
            order by n.id)
        update webhook set position = (select max(n.id) from next n) where id = ${id} and exists (select 1 from next)`
      crashAtFailPoint('webhook:enqueued')
      return next.count > 0
    }
    isMore = await statements.run(() => runInTransaction(db, enqueuePage))
  }
}

/** What is due, the oldest first; nothing of a lane in which something older waits for its next try. */
async function loadDue(db: Db, { id }: WebhookTurn): Promise<DueDelivery[]> {
  return getSql(db)<DueDelivery[]>`
    select d.id::float8 as id, d.uid, d.lane, d.attempts, e.type, e.data, e.happened_at as "happenedAt"
    from webhook_delivery d join webhook_event e on e.id = d.event_id
    where d.webhook_id = ${id} and d.state = 'pending' and d.next_at <= now() and not exists (
      select 1 from webhook_delivery o where o.webhook_id = d.webhook_id and o.lane = d.lane and o.state = 'pending'
        and o.id < d.id and o.next_at > now())
    order by d.id limit ${PAGE}`
}

/** The secrets that count; none where they were sealed with another key. */
export function openSecrets(
  { dataKey }: Pick<Config, 'dataKey'>,
  { secretSealed, oldSecretSealed }: Pick<WebhookTurn, 'secretSealed' | 'oldSecretSealed'>,
): string[] {
  const secret = tryUnseal(dataKey, secretSealed)
  const old = oldSecretSealed === null ? null : tryUnseal(dataKey, oldSecretSealed)
  return secret === null ? [] : [secret, ...(old === null ? [] : [old])]
}

async function sendDelivery(
  parts: DeliveryParts,
  webhook: WebhookTurn,
  secrets: readonly string[],
  delivery: DueDelivery,
): Promise<CallOutcome> {
  const body = buildBody(delivery, webhook.fields)
  const outcome = await callSafely(parts, { address: webhook.address, secrets, uid: delivery.uid, body })
  crashAtFailPoint('webhook:sent')
  await statements.run(() => settleDelivery(parts.db, webhook, delivery, outcome))
  crashAtFailPoint('webhook:settled')
  return outcome
}

/** A fault of ours is one of this try. */
export async function callSafely(
  { config, log }: Pick<DeliveryParts, 'config' | 'log'>,
  request: Parameters<typeof callWebhook>[1],
): Promise<CallOutcome> {
  const failed = { status: null, milliseconds: 0, answer: '', retryAfter: null } as const
  if (request.secrets.length === 0) return { ...failed, fault: 'unreadable' }
  try {
    return await callWebhook(config, request)
  } catch (error) {
    log.warn({ err: error }, 'a webhook was not called')
    return { ...failed, fault: 'lost' }
  }
}

/** Nothing where another process has the address by now. */
async function settleDelivery(
  db: Db,
  webhook: WebhookTurn,
  { id, attempts, data }: DueDelivery,
  outcome: CallOutcome,
): Promise<void> {
  const { status, fault, milliseconds } = outcome
  const pause = Math.max(toPause(attempts), outcome.retryAfter ?? 0)
  await getSql(db)`
    update webhook_delivery d set attempts = attempts + 1, tried_at = now(), status = ${status}, fault = ${fault},
      milliseconds = ${milliseconds}, answer = ${redact(outcome.answer, data)}, next_at = now() + make_interval(secs => ${pause}),
      state = case when ${isDelivered(outcome)} then 'done' when d.created_at < now() - ${GIVEN_UP_AFTER}::interval then 'failed' else 'pending' end
    where d.id = ${id} and exists (select 1 from webhook w where w.id = d.webhook_id and w.turn = ${webhook.turn})`
}
