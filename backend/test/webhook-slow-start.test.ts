// How much a turn takes from the log, and how it is sent: little before the first call went through, much afterwards.
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { startWebhookReceiver, type WebhookCall } from '@balcao/simulator/webhooks/receiver'
import pino from 'pino'
import { runTurn } from '../src/messaging/webhooks-out/deliver.ts'
import { createSecret } from '../src/messaging/webhooks-out/signature.ts'
import { claimTurns } from '../src/messaging/webhooks-out/turns.ts'
import { closeDatabase, openDatabase } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'

const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
const { db, url, beforeDrop } = await createTestDatabase()
const sql = getSql(db)
const LINE = 'webhook-line'
const wide = openDatabase(url, { max: 20, connection: { application_name: LINE } })
beforeDrop(() => closeDatabase(wide))
const config = { privateHosts: ['127.0.0.1'], version: '1.0.0', dataKey: DATA_KEY }
const parts = { db, config, log: pino({ level: 'silent' }) }
const secretSealed = seal(DATA_KEY, createSecret())

let calls: WebhookCall[] = []
beforeEach(async () => {
  receiver.answer = undefined
  await sql`truncate webhook, webhook_event, webhook_delivery cascade`
})

async function addAddresses(count = 1, host = receiver.host) {
  await sql`
    insert into webhook (name, address, secret_sealed, events, fields, since)
    select 'n8n ' || n, ${`http://${host}/`} || n, ${secretSealed}, '{ticket.paused}', '{}', now() - interval '1 day' from generate_series(1, ${count}::int) n`
}

/** So many events, in turn in so many conversations; `data.messageId` counts them. */
async function happen(count: number, lanes = count, type = 'ticket.paused') {
  await sql`
    insert into webhook_event (type, lane, data, happened_at)
    select ${type}, 'ticket:' || n % ${lanes}::int, jsonb_build_object('ticketId', n % ${lanes}::int, 'messageId', n), now() from generate_series(1, ${count}::int) n`
}

/** One turn at the address, with what was called in it and how many calls were under way together. */
async function take() {
  const begun = receiver.calls.length
  let underWay = 0
  let most = 0
  const answer = receiver.answer
  receiver.answer = async (request, call) => {
    most = Math.max(most, ++underWay)
    try {
      return answer ? await answer(request, call) : new Response('ok')
    } finally {
      underWay--
    }
  }
  const [turn] = [...(await claimTurns(db, true, 1)), ...(await claimTurns(db, false, 1))]
  if (turn) await runTurn(parts, turn)
  receiver.answer = answer
  calls = receiver.calls.slice(begun)
  return { calls: calls.length, most }
}

const countRows = async (state: string) => (await sql`select 1 from webhook_delivery where state = ${state}`).length

async function countFailures(): Promise<number> {
  const [row] = await sql<{ failures: number }[]>`select failures from webhook`
  return row?.failures ?? 0
}

/** The pause of the address is over, or of its deliveries as well. */
async function wait() {
  await sql`update webhook set retry_at = null`
  await sql`update webhook_delivery set next_at = now() - interval '1 second' where state = 'pending'`
}

test('one that does not answer costs a call a turn, and twenty rows once for all', async () => {
  let lines = 0
  const dead = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: {
      data(socket) {
        lines++
        socket.terminate()
      },
    },
  })
  await addAddresses(1, `127.0.0.1:${dead.port}`)
  await happen(1500, 300)
  for (let turn = 1; turn <= 4; turn++) {
    await take()
    expect([lines, await countRows('pending')]).toEqual([turn, 20])
    await wait()
  }
  dead.stop(true)
})

test('one that refuses what comes first is asked once more, and with one call a turn until one goes through', async () => {
  await addAddresses()
  await happen(1500, 300)
  receiver.answer = () => new Response('broken', { status: 500 })
  for (const calls of [2, 1, 1]) {
    expect(await take()).toEqual({ calls, most: 1 })
    expect(await countRows('pending')).toBe(20)
    await sql`update webhook set retry_at = null`
  }
})

test('one that answers is sent a thousand events in one turn, eight at a time, each conversation in order, and takes no more than it is sent', async () => {
  await addAddresses()
  await happen(1000, 25)
  const waiting: number[] = []
  receiver.answer = async () => {
    waiting.push(await countRows('pending'))
    return new Response('ok')
  }
  expect(await take()).toEqual({ calls: 1000, most: 8 })
  expect(await countRows('done')).toBe(1000)
  expect(Math.max(...waiting.slice(0, 20))).toBe(20)
  expect(Math.max(...waiting)).toBe(200)
  for (let lane = 0; lane < 25; lane++) {
    const heard = calls.filter(({ data }) => data.ticketId === lane).map(({ data }) => Number(data.messageId))
    expect(heard).toEqual(heard.toSorted((one, other) => one - other))
    expect(heard).toHaveLength(40)
  }
})

test('one that is well again gets the rest in the same turn', async () => {
  await addAddresses()
  await happen(300)
  receiver.answer = () => new Response('broken', { status: 500 })
  await take()
  await wait()
  receiver.answer = undefined
  expect(await take()).toMatchObject({ calls: 300 })
})

test('a conversation that waits for its next try keeps none of the others from being told', async () => {
  await addAddresses()
  await happen(1100, 1)
  receiver.answer = () => new Response('broken', { status: 500 })
  await take()
  await sql`update webhook set failures = 0, retry_at = null`
  await sql`update webhook_delivery set next_at = now() + interval '1 hour' where attempts > 0`
  await sql`insert into webhook_event (type, lane, data, happened_at) values ('ticket.paused', 'ticket:other', '{}', now())`
  receiver.answer = undefined
  expect(await take()).toMatchObject({ calls: 1 })
  expect(await countRows('pending')).toBe(1100)
})

test('an event that is refused again and again is called last, and keeps no other conversation waiting', async () => {
  await addAddresses()
  await happen(3, 3)
  receiver.answer = (_, { data }) => new Response('', { status: data.messageId === 1 ? 500 : 200 })
  expect(await take()).toEqual({ calls: 3, most: 1 })
  expect([await countRows('done'), await countFailures()]).toEqual([2, 0])
  for (const [more, done] of [
    [3, 4],
    [30, 24],
  ] as const) {
    await happen(more, 3)
    await wait()
    await take()
    expect(calls.at(0)?.data.messageId).not.toBe(1)
    // It waits now, and the others need not.
    await take()
    expect([await countRows('done'), await countFailures()]).toEqual([done, 0])
  }
  receiver.answer = undefined
  await wait()
  expect(await take()).toMatchObject({ calls: 12 })
  const heard = calls.filter(({ data }) => data.ticketId === 1).map(({ data }) => data.messageId)
  expect(heard).toEqual([1, 1, ...Array.from({ length: 10 }, (_, n) => 1 + 3 * n)])
})

test('what an address does not want is passed over in the same turn', async () => {
  await addAddresses()
  await happen(700, 700, 'ticket.opened')
  await happen(1)
  expect(await take()).toMatchObject({ calls: 1 })
  const [left] = await sql`select 1 from webhook where position < (select max(id) from webhook_event)`
  expect(left).toBeUndefined()
})

test('a turn that is over takes and sends nothing more', async () => {
  await addAddresses()
  await happen(100)
  receiver.answer = async () => {
    await sql`update webhook set turn = turn + 1`
    return new Response('ok')
  }
  expect((await take()).calls).toBeLessThanOrEqual(20)
  expect([await countRows('pending'), await countRows('done')]).toEqual([20, 0])
})

test('calls that end together write over two connections', async () => {
  await addAddresses(40)
  await happen(30)
  const turns = await claimTurns(db, false, 40)
  const all = Promise.withResolvers<void>()
  let arrived = 0
  receiver.answer = async () => {
    if (++arrived === 40) all.resolve()
    await all.promise
    return new Response('later', { status: 429, headers: { 'retry-after': '5' } })
  }
  await Promise.all(turns.map(turn => runTurn({ ...parts, db: wide }, turn)))
  expect(arrived).toBe(40)
  const sessions =
    await sql`select 1 from pg_stat_activity where application_name = ${LINE} and datname = current_database()`
  expect(sessions).toHaveLength(2)
})
