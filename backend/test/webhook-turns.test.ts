// When a call is made once more, and when nobody makes it any more: turns at an address, with the clock moved.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { startWebhookReceiver } from '@balcao/simulator/webhooks/receiver'
import pino from 'pino'
import { runTurn } from '../src/messaging/webhooks-out/deliver.ts'
import { startWebhookDispatcher } from '../src/messaging/webhooks-out/dispatcher.ts'
import { sweepWebhooks } from '../src/messaging/webhooks-out/jobs.ts'
import { createSecret } from '../src/messaging/webhooks-out/signature.ts'
import { claimTurns } from '../src/messaging/webhooks-out/turns.ts'
import { openNotices } from '../src/platform/database/notices.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'
import { waitUntil } from './until.ts'

const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
const { db } = await createTestDatabase()
const sql = getSql(db)
const config = { privateHosts: [receiver.host], version: '1.0.0', dataKey: DATA_KEY }
const parts = { db, config, log: pino({ level: 'silent' }) }

beforeEach(async () => {
  receiver.answer = undefined
  await sql`truncate webhook, webhook_event, webhook_delivery cascade`
  receiver.secret = createSecret()
  await sql`
    insert into webhook (name, address, secret_sealed, events, fields, since)
    values ('n8n', ${receiver.url}, ${seal(DATA_KEY, receiver.secret)}, '{ticket.paused}', '{}', now() - interval '30 days')`
})

/** Something happened in a conversation of its own, or in a given one. */
async function happen(lane: string = crypto.randomUUID()) {
  await sql`insert into webhook_event (type, lane, data, happened_at) values ('ticket.paused', ${lane}, '{}', now())`
}

/** An event that the receiver refuses, while it takes all others; its `webhook-id`. */
async function refuseEvent(lane: string): Promise<string> {
  await happen(lane)
  const [row] = await sql<{ uid: string }[]>`
    insert into webhook_delivery (webhook_id, event_id, lane) select w.id, e.id, e.lane from webhook w, webhook_event e returning uid`
  await sql`update webhook set position = (select max(id) from webhook_event)`
  receiver.answer = (_, call) => new Response('', { status: call.id === row?.uid ? 500 : 200 })
  return row?.uid ?? ''
}

async function countDone(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from webhook_delivery where state = 'done'`
  return row?.n ?? 0
}

async function take() {
  const [turn] = [...(await claimTurns(db, true, 1)), ...(await claimTurns(db, false, 1))]
  if (turn) await runTurn(parts, turn)
  return turn !== undefined
}

/** Seconds until the newest delivery is tried again, and how it stands. */
async function readDelivery() {
  const [row] = await sql<{ state: string; wait: number; attempts: number }[]>`
    select state, attempts, extract(epoch from next_at - now())::float8 as wait from webhook_delivery order by id desc limit 1`
  return row ?? { state: 'none', wait: 0, attempts: 0 }
}

/** Its pause is over. */
async function wait() {
  await sql`update webhook set retry_at = null`
  await sql`update webhook_delivery set next_at = now() - interval '1 second' where state = 'pending'`
}

test('a call that fails is made again after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h, a tenth more or less', async () => {
  receiver.answer = () => new Response('broken', { status: 500 })
  await happen()
  for (const seconds of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400]) {
    await take()
    const delivery = await readDelivery()
    expect(delivery.state).toBe('pending')
    expect(Math.abs(delivery.wait - seconds)).toBeLessThanOrEqual(seconds * 0.1 + 10)
    const [webhook] = await sql<{ wait: number }[]>`
      select extract(epoch from retry_at - now())::float8 as wait from webhook`
    expect(Math.abs((webhook?.wait ?? 0) - seconds)).toBeLessThanOrEqual(seconds * 0.1 + 10)
    expect(await take()).toBe(false)
    await wait()
  }
})

test('retry-after is heeded where it is longer, for a day at most', async () => {
  for (const [header, seconds] of [
    ['900', 900],
    ['9999999', 86_400],
    ['1', 5],
    ['amanhã', 5],
  ] as const) {
    await sql`truncate webhook_delivery`
    await sql`update webhook set failures = 0, failing_since = null, retry_at = null`
    receiver.answer = () => new Response('later', { status: 429, headers: { 'retry-after': header } })
    await happen()
    await take()
    const { wait: pause } = await readDelivery()
    expect(Math.abs(pause - seconds)).toBeLessThanOrEqual(seconds * 0.1 + 10)
  }
})

test('what nobody takes for three days is given up, while others go through, and its conversation goes on', async () => {
  const refused = await refuseEvent('ticket:1')
  await happen('ticket:1')
  await happen('ticket:2')
  await take()
  const states = async () => (await sql`select state from webhook_delivery order by id`).map(({ state }) => state)
  expect(await states()).toEqual(['pending', 'pending', 'done'])
  await sql`update webhook_delivery set created_at = now() - interval '71 hours' where uid = ${refused}`
  await wait()
  await take()
  expect(await states()).toEqual(['pending', 'pending', 'done'])
  await sql`update webhook_delivery set created_at = now() - interval '73 hours' where uid = ${refused}`
  await wait()
  await take()
  await wait()
  await take()
  expect(await states()).toEqual(['failed', 'done', 'done'])
})

test('what stands behind a refused event asks for no turn before that is tried again', async () => {
  const refused = await refuseEvent('ticket:1')
  await happen('ticket:1')
  await happen('ticket:2')
  expect(await take()).toBe(true)
  expect(await take()).toBe(false)
  await sql`update webhook_delivery set next_at = now() where uid = ${refused}`
  expect(await take()).toBe(true)
})

test('a process that delivers takes few turns at an address that refuses one event and takes all others', async () => {
  await refuseEvent('ticket:1')
  await sql`update webhook_delivery set next_at = now() + interval '1 hour'`
  await happen('ticket:1')
  await happen('ticket:2')
  // Another address, which is told something later, says how long that was.
  await sql`
    insert into webhook (name, address, secret_sealed, events, fields, since, position)
    select 'clock', address, secret_sealed, '{ticket.closed}', fields, since, (select max(id) from webhook_event) from webhook`
  await sql`
    insert into webhook_delivery (webhook_id, event_id, lane, next_at)
    select w.id, (select min(id) from webhook_event), 'clock', now() + interval '2 seconds' from webhook w where name = 'clock'`
  const notices = openNotices(db)
  const dispatcher = await startWebhookDispatcher(parts, notices)
  try {
    await waitUntil('both are told', async () => (await countDone()) === 2)
    const [webhook] = await sql<{ turn: number }[]>`select turn::int as turn from webhook where name = 'n8n'`
    expect(webhook?.turn).toBeLessThanOrEqual(3)
  } finally {
    await dispatcher.stop()
    await notices.close()
  }
})

test('events and their deliveries are kept seven days', async () => {
  await happen()
  await happen()
  await take()
  await sql`update webhook_event set created_at = now() - interval '167 hours'`
  expect(await sweepWebhooks(db)).toBe(0)
  await sql`update webhook_event set created_at = now() - interval '169 hours' where id = (select min(id) from webhook_event)`
  expect(await sweepWebhooks(db)).toBe(1)
  expect((await sql`select 1 from webhook_delivery`).length).toBe(1)
})
