// A turn at one address: what happened since is put in its row of deliveries, and what is due is sent, in order within a lane.
import type { WebhookData } from '@balcao/contract'
import { createWaitingLine } from '@balcao/contract/kit/waiting-line'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { tryUnseal } from '../../platform/seal.ts'
import { showAnswer } from './answer.ts'
import { buildBody } from './body.ts'
import { type CallOutcome, callWebhook, isDelivered } from './call.ts'
import { endTurn, isBehindWaitingSql, type TurnResult, toPause, type WebhookTurn } from './turns.ts'

export interface DeliveryParts {
  readonly db: Db
  readonly config: Pick<Config, 'privateHosts' | 'version' | 'dataKey'>
  readonly log: Pick<Logger, 'warn'>
  /** The process ends: no call begins any more. */
  readonly isEnding?: () => boolean
}

/** How many wait at an address at most. */
interface MostWaiting {
  /** Without those behind one that waits for its next try: a conversation in which much happens must not keep the others from being told for days. */
  readonly ready: number
  readonly rows: number
}
const MOST_WAITING: MostWaiting = { ready: 1000, rows: 10_000 }
/** Of one that does not answer hardly any: they stay where they are once for all. */
const MOST_WAITING_FAILING: MostWaiting = { ready: 20, rows: 20 }
const LANES_AT_ONCE = 8
const TURN_MS = 30_000
/** So many are taken before the first call of a turn went through, and so many at a time afterwards. */
const FIRST_PAGE = 20
const PAGE = 200
/** A delivery that nobody takes is given up after this, while others go through. */
const GIVEN_UP_AFTER = '3 days'

/** Calls that end together, as those that nobody answers do, would take all connections at once, for which the inbox waits, too. */
const statements = createWaitingLine(2)
const failingStatements = createWaitingLine(1)

/** What is written of addresses that do not answer comes one after the other, each with a rest as long as it took: nobody waits for it. */
function writeFor<T>(isFailing: boolean, work: () => Promise<T>): Promise<T> {
  if (!isFailing) return statements.run(work)
  return failingStatements.run(async () => {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      await Bun.sleep(performance.now() - begun)
    }
  })
}

interface DueDelivery {
  readonly id: number
  readonly uid: string
  readonly lane: string
  readonly attempts: number
  readonly type: string
  readonly data: WebhookData
  readonly happenedAt: string
}

/**
 * Delivers for a while, and gives the address back. Whether it answers shows with the first call: until one went through nothing else is sent
 * beside it, and no more is taken from the log than an address that is dead may keep.
 */
export async function runTurn(parts: DeliveryParts, webhook: WebhookTurn): Promise<void> {
  const secrets = openSecrets(parts.config, webhook)
  const end = performance.now() + TURN_MS
  const seen: CallOutcome[] = []
  let isFailing = false
  const goesOn = () => performance.now() < end && !isFailing && parts.isEnding?.() !== true

  async function send(delivery: DueDelivery): Promise<CallOutcome> {
    const outcome = await sendDelivery(parts, webhook, secrets, delivery)
    seen.push(outcome)
    return outcome
  }

  /** Asks one lane after the other until a call goes through. One that did not fail before is asked twice: it may refuse that event alone. */
  async function probe(lanes: DueDelivery[][]): Promise<void> {
    for (let tries = webhook.failures > 0 ? 1 : 2; tries > 0 && parts.isEnding?.() !== true; tries--) {
      const lane = lanes.shift()
      const first = lane?.shift()
      if (!lane || !first) return
      const outcome = await send(first)
      isFailing = !isDelivered(outcome)
      if (!isFailing) lanes.unshift(lane)
      if (!isFailing || !isRefusal(outcome)) return
    }
  }

  async function sendLanes(lanes: DueDelivery[][]): Promise<void> {
    const sendNext = async () => {
      for (let lane = lanes.shift(); lane; lane = lanes.shift())
        for (const delivery of lane) {
          if (!goesOn()) return
          if (!isDelivered(await send(delivery))) isFailing = true
        }
    }
    await Promise.all(Array.from({ length: LANES_AT_ONCE }, sendNext))
  }

  const most = webhook.failures > 0 ? MOST_WAITING_FAILING : MOST_WAITING
  let due = await takeDue(parts.db, webhook, FIRST_PAGE, most)
  let isMore = due.length === FIRST_PAGE
  const lanes = toLanes(due)
  await probe(lanes)
  await sendLanes(lanes)
  while (isMore && goesOn()) {
    due = await takeDue(parts.db, webhook, PAGE, MOST_WAITING)
    isMore = due.length === PAGE
    await sendLanes(toLanes(due))
  }
  const retryAfter = Math.max(0, ...seen.map(outcome => outcome.retryAfter ?? 0))
  const result = toResult(seen)
  await writeFor(result === 'failed', () => endTurn(parts.db, webhook, result, retryAfter))
}

function toLanes(due: readonly DueDelivery[]): DueDelivery[][] {
  return [...Map.groupBy(due, ({ lane }) => lane).values()]
}

/** Whether somebody answered, who takes another event perhaps. */
function isRefusal({ status, retryAfter }: CallOutcome): boolean {
  return status !== null && status !== 410 && retryAfter === null
}

function toResult(seen: readonly CallOutcome[]): TurnResult {
  if (seen.some(({ status }) => status === 410)) return 'gone'
  if (seen.some(isDelivered)) return 'through'
  return seen.length > 0 ? 'failed' : 'idle'
}

/** What is due, at most `size`; where that is less, more is taken from the log, until `most` wait. */
async function takeDue(db: Db, webhook: WebhookTurn, size: number, most: MostWaiting): Promise<DueDelivery[]> {
  const load = () => writeFor(webhook.failures > 0, () => loadDue(db, webhook, size))
  for (;;) {
    const due = await load()
    if (due.length === size) return due
    const { put, isMore } = await writeFor(webhook.failures > 0, () =>
      enqueueDeliveries(db, webhook, size - due.length, most),
    )
    crashAtFailPoint('webhook:enqueued')
    if (!isMore) return put === 0 ? due : load()
  }
}

/**
 * Puts the next of what this address is told of into its deliveries, at most `size` while no more than `most` wait, and remembers how far the
 * log was looked through; both or neither. The row of the address is locked first: where its turn is over, nothing is put.
 */
async function enqueueDeliveries(
  db: Db,
  { id, turn }: WebhookTurn,
  size: number,
  most: MostWaiting,
): Promise<{ readonly put: number; readonly isMore: boolean }> {
  const sql = getSql(db)
  const [row] = await sql<{ put: number; isMore: boolean }[]>`
    with w as materialized (select * from webhook where id = ${id} and turn = ${turn} for no key update),
      room as materialized (
        select least(${size}, ${most.ready} - waiting.ready, ${most.rows} - waiting.n)::int as n from w cross join lateral (
          select count(*) as n, count(*) filter (where not ${isBehindWaitingSql(sql)}) as ready
          from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending') waiting),
      next as materialized (
        select e.id, e.type, e.lane, e.connection_id, e.queue_id, e.test, e.happened_at from webhook_event e
        where e.id > (select position from w) order by e.id limit ${PAGE}),
      chosen as materialized (
        select n.id, n.lane from next n, w
        where not n.test and n.happened_at >= w.since and n.type = any(w.events)
          and (w.connection_ids is null or n.connection_id = any(w.connection_ids))
          and (w.queue_ids is null or n.queue_id = any(w.queue_ids))
        order by n.id limit (select greatest(n, 0) from room)),
      put as (insert into webhook_delivery (webhook_id, event_id, lane) select ${id}, id, lane from chosen order by id)
    update webhook set position = case when counted.chosen = room.n then counted.newest else (select max(id) from next) end
    from room, (select count(*)::int as chosen, max(id) as newest from chosen) counted
    where webhook.id = ${id} and room.n > 0 and exists (select 1 from next)
    returning counted.chosen as put, counted.chosen = room.n or (select count(*) from next) = ${PAGE} as "isMore"`
  return row ?? { put: 0, isMore: false }
}

/**
 * What is due, lane by lane: nothing of one in which something older waits for its next try, and nothing once the turn is over. Lanes whose
 * first was refused come last, or one event that nobody takes would be the first call of each turn, and keep all others waiting.
 */
async function loadDue(db: Db, { id, turn }: WebhookTurn, size: number): Promise<DueDelivery[]> {
  const sql = getSql(db)
  return sql<DueDelivery[]>`
    select d.id::float8 as id, d.uid, d.lane, d.attempts, e.type, e.data, e.happened_at as "happenedAt"
    from webhook_delivery d join webhook_event e on e.id = d.event_id join webhook w on w.id = d.webhook_id
    where d.webhook_id = ${id} and w.turn = ${turn} and w.active and d.state = 'pending' and d.next_at <= now() and not ${isBehindWaitingSql(sql)}
    order by (
      select f.attempts from webhook_delivery f where f.webhook_id = d.webhook_id and f.lane = d.lane and f.state = 'pending' order by f.id limit 1), d.id
    limit ${size}`
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
  await writeFor(!isDelivered(outcome), () => settleDelivery(parts.db, webhook, delivery, outcome))
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
      milliseconds = ${milliseconds}, answer = ${showAnswer(outcome.answer, data)}, next_at = now() + make_interval(secs => ${pause}),
      state = case when ${isDelivered(outcome)} then 'done' when d.created_at < now() - ${GIVEN_UP_AFTER}::interval then 'failed' else 'pending' end
    where d.id = ${id} and exists (select 1 from webhook w where w.id = d.webhook_id and w.turn = ${webhook.turn})`
}
