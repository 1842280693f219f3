// The power is cut between any two steps of Out; another process goes on. Nothing is lost, nothing reaches a customer twice.
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sqlOf } from '../src/database/raw.ts'
import { testDatabase } from './database.ts'
import { startNetwork } from './network.ts'
import { outgoingWorld } from './outgoing-world.ts'
import { killOwners, startOwner } from './owner-child.ts'
import { until } from './until.ts'

const { db, url } = await testDatabase()
const sql = sqlOf(db)
const network = startNetwork()
afterEach(killOwners)
afterAll(() => network.stop())

const PLACES = ['outbox:after-claim', 'outbox:after-send', 'outbox:after-settle']

describe('where the desk gives the ids', () => {
  for (const place of PLACES) {
    test(`killed at ${place}, every message reaches its customer once`, async () => {
      const world = await outgoingWorld(db, 4)
      const first = await startOwner({ DATABASE_URL: url, NETWORK_URL: network.url, CRASH_AT: `${place}#3` })
      for (let n = 1; n <= 6; n++)
        for (let customer = 0; customer < 4; customer++) await world.write(customer, `${customer}-${n}`)
      expect(await first.ended).not.toBe(0)
      await startOwner({ DATABASE_URL: url, NETWORK_URL: network.url })
      await until(
        'all are sent',
        async () => (await world.states()).every(one => one.state === 'sent' && one.rows === 'done'),
        20_000,
      )
      for (const [at, { to }] of world.tickets.entries()) {
        const texts = network.shown
          .filter(one => one.to === to)
          .map(one => ('text' in one.message ? one.message.text : ''))
        expect(texts).toEqual([1, 2, 3, 4, 5, 6].map(n => `${at}-${n}`))
      }
      await putAway(world.whatsappId)
    }, 40_000)
  }
})

describe('where the provider gives the ids', () => {
  for (const place of PLACES) {
    test(`killed at ${place}, nothing is sent twice and what nobody knows is said to be unknown`, async () => {
      const world = await outgoingWorld(db, 4, 'cloud_api')
      const env = { DATABASE_URL: url, NETWORK_URL: network.url, OWN_IDS: 'no' }
      const first = await startOwner({ ...env, CRASH_AT: `${place}#3` })
      for (let n = 1; n <= 6; n++)
        for (let customer = 0; customer < 4; customer++) await world.write(customer, `${customer}-${n}`)
      expect(await first.ended).not.toBe(0)
      await startOwner(env)
      await until(
        'all are settled',
        async () => (await world.states()).every(one => one.rows === 'done' || one.rows === 'unknown'),
        20_000,
      )
      const states = await world.states()
      const mine = network.arrived.filter(one => world.tickets.some(ticket => ticket.to === one.to))
      const texts = mine.map(one => ('text' in one.message ? one.message.text : ''))
      expect(new Set(texts).size).toBe(texts.length)
      for (const { body, state } of states) {
        if (state === 'sent') expect(texts).toContain(body)
        else expect(state).toBe('unknown')
      }
      // One for each customer may be on its way at most.
      expect(states.filter(one => one.state === 'unknown').length).toBeLessThanOrEqual(4)
      await putAway(world.whatsappId)
    }, 40_000)
  }
})

/** The next test's process runs only its own connection. */
async function putAway(whatsappId: number): Promise<void> {
  await killOwners()
  await sql`update whatsapp set wanted = false where id = ${whatsappId}`
}
