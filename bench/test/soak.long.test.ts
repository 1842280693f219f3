import { afterAll, expect, test } from 'bun:test'
import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { stopEngine } from '../src/engine.ts'
import { runSoak } from '../src/soak.ts'
import { computeSlope, runDay } from '../src/workhours.ts'

if (process.env.TEST_PG) process.env.BENCH_PG ??= process.env.TEST_PG
silenceSignal()
afterAll(stopEngine)

const NOTHING_LOST = {
  ...{ lostIn: 0, doubledIn: 0, doubledPeople: 0, undigested: 0 },
  ...{ lostOut: 0, doubledOut: 0, waiting: 0 },
}

test('messages both ways with repeats, reordering, cut lines and two kills: lost 0, doubled 0', async () => {
  const counted = await runSoak({ inbound: 800, outbound: 120, kills: 2, customers: 15, lines: 1 })
  expect(counted).toMatchObject({ stored: 800, ...NOTHING_LOST })
})

test('the same over connections of all four kinds, each cut in its way: lost 0, doubled 0', async () => {
  const lines = { lines: 1, browsers: 1, gateways: 1 }
  const counted = await runSoak({ inbound: 240, outbound: 48, kills: 1, customers: 6, ...lines })
  expect(counted).toMatchObject({ stored: 240, ...NOTHING_LOST })
})

test('agents with sockets of their own accept, answer, hand on and close: every message stored, on the phone, and told to whom it concerns', async () => {
  const lines = { cloud: 1, baileys: 1 }
  const day = await runDay({ agents: 8, hours: 0.01, rate: 30, atOnce: 6, lines })
  expect(day).toMatchObject({
    ...{ conversations: 18, lost: [], doubled: [], notOnPhones: [], unheardFirst: 0, unheardOwn: 0 },
    ...{ broken: 0, unclosed: 0, waiting: 0, left: 0 },
  })
  // The first word and three rounds of each; some are handed on and have more.
  expect(day.messages).toBeGreaterThan(18 * 7)
})

test('what grows evenly has a slope, and what stays has none', () => {
  expect(computeSlope([5, 5, 5, 5])).toBe(0)
  expect(computeSlope([1, 3, 5, 7])).toBe(2)
})
