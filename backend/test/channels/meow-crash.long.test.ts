// The power is cut between any two steps of a send through the gateway; another process goes on. Nothing is lost, nothing goes out twice.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { type Gowa, startGowa } from '@balcao/simulator/gowa/gowa'
import { startWhatsApp } from '@balcao/simulator/whatsapp/index'
import { deriveDeviceId } from '../../src/messaging/channels/meow/device.ts'
import { getSql } from '../../src/platform/database/raw.ts'
import { seal } from '../../src/platform/seal.ts'
import { createTestDatabase } from '../database.ts'
import { makeOutgoingFixture } from '../outgoing-world.ts'
import { killOwners, startOwner } from '../owner-child.ts'
import { waitUntil } from '../until.ts'

const DATA_KEY = 'a data key of this test alone'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const world = await startWhatsApp({ ackDelayMs: 5 })
const gowa: Gowa = await startGowa(world, { ackDelayMs: 5, retryBaseMs: 20 })
const company = world.company({ number: '553132224010', name: 'Loja Centro' })
afterEach(killOwners)
afterAll(async () => {
  await gowa.stop()
  await world.stop()
})

for (const place of ['outbox:after-claim', 'outbox:after-send', 'outbox:after-settle'])
  test(`killed at ${place}, what went out is found in its chat, once, and only the rest is put to a person`, async () => {
    const desk = await makeOutgoingFixture(db, 3, 'meow')
    const customers = desk.tickets.map(({ to }, at) =>
      world.customer({ number: to.replace(/@.*/, ''), name: `Cliente ${at}` }),
    )
    const secret = crypto.randomUUID()
    await sql`
      update whatsapp set config = ${JSON.stringify({ webhookSecret: seal(DATA_KEY, secret) })}::text::jsonb where id = ${desk.whatsappId}`
    gowa.addDevice(deriveDeviceId(secret)).link(company)
    const env = { DATABASE_URL: url, DATA_KEY, ...gowa.env }

    const first = await startOwner({ ...env, CRASH_AT: `${place}#2` })
    for (let n = 1; n <= 4; n++) for (const at of customers.keys()) await desk.write(at, `${at}-${n}`)
    expect(await first.ended).not.toBe(0)
    await startOwner(env)
    const isSettled = ({ state, rows }: { state: string; rows: string }) =>
      rows === 'done' || (rows === 'unknown' && state === 'unknown')
    await waitUntil('all are settled', async () => (await desk.states()).every(isSettled))

    const shown = customers.flatMap(one =>
      one.chat(company).map(({ content }) => (content.type === 'text' ? content.text : '')),
    )
    expect(new Set(shown).size).toBe(shown.length)
    const states = await desk.states()
    for (const { body, state } of states) expect([body, state !== 'unknown']).toEqual([body, shown.includes(body)])
    // What had not reached the gateway is the only thing nobody can say anything of.
    expect(states.filter(one => one.state === 'unknown').length).toBeLessThanOrEqual(place.endsWith('claim') ? 3 : 2)
    expect(gowa.faults).toEqual([])
    await killOwners()
    await sql`update whatsapp set wanted = false where id = ${desk.whatsappId}`
    company.gateways.at(-1)?.unlink('phone')
  })
