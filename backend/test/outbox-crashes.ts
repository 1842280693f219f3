// The power is cut between any two steps of Out; another process goes on. Nothing is lost, nothing reaches a customer twice.
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { createTestDatabase } from './database.ts'
import { type SentMessage, startNetwork } from './network.ts'
import { makeOutgoingFixture, type OutgoingFixture } from './outgoing-world.ts'
import { killOwners, startOwner } from './owner-child.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const network = startNetwork()
afterEach(killOwners)
afterAll(() => network.stop())

/** Makes the tests of these steps of Out. */
export function testOutboxCrashes(places: readonly string[]): void {
  describe('where the desk gives the ids', () => {
    for (const place of places) {
      test(`killed at ${place}, every message reaches its customer once`, async () => {
        const world = await makeOutgoingFixture(db, 4)
        const first = await startOwner({ DATABASE_URL: url, NETWORK_URL: network.url, CRASH_AT: `${place}#3` })
        for (let n = 1; n <= 6; n++)
          for (let customer = 0; customer < 4; customer++) await world.write(customer, `${customer}-${n}`)
        expect(await first.ended).not.toBe(0)
        await startOwner({ DATABASE_URL: url, NETWORK_URL: network.url })
        await waitUntil(
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
    for (const place of places) {
      test(`killed at ${place}, nothing is sent twice and what nobody knows is said to be unknown`, async () => {
        const world = await makeOutgoingFixture(db, 4, 'cloud_api')
        const env = { DATABASE_URL: url, NETWORK_URL: network.url, OWN_IDS: 'no' }
        const first = await startOwner({ ...env, CRASH_AT: `${place}#3` })
        for (let n = 1; n <= 6; n++)
          for (let customer = 0; customer < 4; customer++) await world.write(customer, `${customer}-${n}`)
        expect(await first.ended).not.toBe(0)
        await startOwner(env)
        await waitUntil(
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

  describe('where the provider gives the ids and tells back what came with a send', () => {
    for (const place of places) {
      test(`killed at ${place}, receipts make certain what went out, and only the rest is put to a person`, async () => {
        const world = await makeOutgoingFixture(db, 4, 'cloud_api')
        const env = { DATABASE_URL: url, NETWORK_URL: network.url, OWN_IDS: 'no', TRACE_MS: '1000' }
        const first = await startOwner({ ...env, CRASH_AT: `${place}#3` })
        for (let n = 1; n <= 6; n++)
          for (let customer = 0; customer < 4; customer++) await world.write(customer, `${customer}-${n}`)
        expect(await first.ended).not.toBe(0)
        // Half of the receipts come while nobody owns the connection, half when nobody is left to answer.
        const before = arrivedIn(world)
        await tellDelivered(world, before.slice(0, before.length / 2))
        await startOwner(env)
        await waitUntil(
          'all are settled',
          async () =>
            (await world.states()).every(
              ({ state, rows }) =>
                ['sent', 'delivered', 'unknown'].includes(state) && (rows === 'done' || rows === 'unknown'),
            ),
          20_000,
        )
        const arrived = arrivedIn(world)
        await tellDelivered(world, arrived)
        const texts = arrived.map(textOf)
        expect(new Set(texts).size).toBe(texts.length)
        for (const { body, state, rows } of await world.states())
          expect({ body, state, rows }).toEqual(
            texts.includes(body)
              ? { body, state: 'delivered', rows: 'done' }
              : { body, state: 'unknown', rows: 'unknown' },
          )
        await putAway(world.whatsappId)
      }, 40_000)
    }
  })
}

function arrivedIn(world: OutgoingFixture): SentMessage[] {
  return network.arrived.filter(one => world.tickets.some(ticket => ticket.to === one.to))
}

function textOf({ message }: SentMessage): string {
  return 'text' in message ? message.text : ''
}

async function tellDelivered({ whatsappId }: OutgoingFixture, sent: readonly SentMessage[]): Promise<void> {
  for (const { to, id, trace } of sent) {
    const ref = { chat: to, id, fromMe: true }
    await receiveEvents(db, { id: whatsappId }, [{ type: 'ack', ref, ack: 'delivered', ...(trace && { trace }) }])
  }
}

/** The next test's process runs only its own connection. */
async function putAway(whatsappId: number): Promise<void> {
  await killOwners()
  await sql`update whatsapp set wanted = false where id = ${whatsappId}`
}
