// The power is cut between any two steps of telling other programs; another process goes on. Nothing is lost, what comes twice comes under
// the same id, and every conversation keeps its order.
import { afterAll, expect, test } from 'bun:test'
import { buildCommand } from '@balcao/simulator/processes'
import { startWebhookReceiver } from '@balcao/simulator/webhooks/receiver'
import { beginFollowing } from '../src/messaging/webhooks-out/follow.ts'
import { createSecret } from '../src/messaging/webhooks-out/signature.ts'
import { webhooks } from '../src/messaging/webhooks-out/table.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { seal } from '../src/platform/seal.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer, setPlainSettings } from './inbox-world.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
await setPlainSettings(db)
const inbox = await makeInbox(db)
const receiver = startWebhookReceiver()
afterAll(() => receiver.stop())
receiver.secret = createSecret()
await db.transaction(async tx => {
  await beginFollowing(tx)
  await tx.insert(webhooks).values({
    name: 'n8n',
    address: receiver.url,
    secretSealed: seal(DATA_KEY, receiver.secret),
    events: ['message.received'],
    fields: ['messageText'],
  })
})

const CUSTOMERS = 4
const MESSAGES = 6
const PLACES = [
  'webhook:followed',
  'webhook:before-commit',
  'webhook:enqueued',
  'webhook:sent',
  'webhook:sent#5',
  'webhook:settled',
  'webhook:settled#7',
]

for (const [round, place] of PLACES.entries())
  test(`killed at ${place}, everything is told, in order, and known where it is told twice`, async () => {
    const before = receiver.calls.length
    const first = start(place)
    const peers = Array.from({ length: CUSTOMERS }, (_, n) => makePeer({ pn: `55119${round}000000${n}` }))
    for (let n = 1; n <= MESSAGES; n++)
      for (const peer of peers) await inbox.take(makeMessageEvent(peer, `${peer.pn} ${n}`))
    await first.exited
    // As if its time were over.
    await sql`update webhook set busy_until = null`
    const second = start('')
    const calls = () => receiver.calls.slice(before)
    const heard = () => new Set(calls().map(({ id }) => id)).size
    await waitUntil('all are told', () => heard() === CUSTOMERS * MESSAGES)
    await waitUntil('all are noted', async () => (await countPending()) === 0)
    second.kill('SIGKILL')
    await second.exited
    await sql`update webhook set busy_until = null`
    expect(calls().every(({ isSigned }) => isSigned)).toBe(true)
    for (const { pn } of peers) {
      const texts = calls().flatMap(({ data }) =>
        String(data.messageText).startsWith(`${pn} `) ? [data.messageText] : [],
      )
      expect([...new Set(texts)].map(String)).toEqual(Array.from({ length: MESSAGES }, (_, n) => `${pn} ${n + 1}`))
    }
  })

async function countPending(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from webhook_delivery where state = 'pending'`
  return row?.n ?? 0
}

function start(place: string) {
  return Bun.spawn(buildCommand('backend/test/webhook-process.ts'), {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_KEY,
      ALLOW_PRIVATE_HOSTS: receiver.host,
      CRASH_AT: place,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
