// All processes were down for longer than live events are kept: what webhooks have not read waits three days for them.
import { beforeEach, expect, test } from 'bun:test'
import { listWebhookAlarms } from '../src/messaging/webhooks-out/alarm.ts'
import { beginFollowing, followLiveEvents } from '../src/messaging/webhooks-out/follow.ts'
import { sweepEvents } from '../src/operations/retention.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { createTestDatabase } from './database.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
await setPlainSettings(db)
const inbox = await makeInbox(db)

beforeEach(async () => {
  await sql`truncate webhook, webhook_cursor, webhook_event cascade`
  await sql`delete from live_event`
})

async function addWebhook() {
  await runInTransaction(db, beginFollowing)
  await sql`
    insert into webhook (name, address, secret_sealed, events, fields, since)
    values ('n8n', 'https://n8n.example', '', '{message.received}', '{}', now() - interval '9 days')`
}

let phones = 5511990000000
const say = (text: string) => inbox.take(makeMessageEvent(makePeer({ pn: String(++phones) }), text))

/** The machine was off so long. */
async function standStill(hours: number) {
  await sql`update live_event set created_at = created_at - make_interval(hours => ${hours})`
}

async function listTold() {
  await followLiveEvents(db)
  const rows = await sql<{ happened: number }[]>`
    select (extract(epoch from now() - happened_at) / 3600)::int as happened from webhook_event order by id`
  return rows.map(({ happened }) => happened)
}

const countOld = async () => (await sql`select 1 from live_event where created_at < now() - interval '24 hours'`).length

test('what came just before is told after thirty hours, though the sweep was there first', async () => {
  await addWebhook()
  await say('Bom dia')
  await standStill(30)
  await sweepEvents(db)
  expect(await listTold()).toEqual([30])
  expect(await listWebhookAlarms(db)).toEqual([])
  // Read, it goes as everything does.
  await say('Boa tarde')
  await sweepEvents(db)
  expect(await countOld()).toBe(1)
})

test('after three days it goes untold, and administrators have that in the bell for a week', async () => {
  await addWebhook()
  await say('Bom dia')
  await say('Boa tarde')
  await standStill(80)
  await sweepEvents(db)
  expect(await countOld()).toBe(1)
  expect(await listTold()).toEqual([])
  expect(await listWebhookAlarms(db)).toEqual([{ code: 'webhook_missed', reason: null, at: expect.any(String) }])
  await sql`update webhook_cursor set missed_at = now() - interval '8 days'`
  expect(await listWebhookAlarms(db)).toEqual([])
})

test('nothing waits where nobody is told', async () => {
  await addWebhook()
  await sql`update webhook set active = false`
  await say('Bom dia')
  await standStill(30)
  await sweepEvents(db)
  expect(await countOld()).toBe(1)
})
