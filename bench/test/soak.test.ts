import { afterAll, expect, test } from 'bun:test'
import { silenceSignal } from '@balcao/backend/channels/baileys/quiet'
import { stopEngine } from '../src/engine.ts'
import { soakThrough } from '../src/soak.ts'

if (process.env.TEST_PG) process.env.BENCH_PG ??= process.env.TEST_PG
silenceSignal()
afterAll(stopEngine)

const NOTHING_LOST = {
  ...{ lostIn: 0, doubledIn: 0, doubledPeople: 0, undigested: 0 },
  ...{ lostOut: 0, doubledOut: 0, waiting: 0 },
}

test('messages both ways with repeats, reordering, cut lines and two kills: lost 0, doubled 0', async () => {
  const counted = await soakThrough({ inbound: 800, outbound: 120, kills: 2, customers: 15, lines: 1 })
  expect(counted).toMatchObject({ stored: 800, ...NOTHING_LOST })
}, 180_000)

test('the same over connections of all four kinds, each cut in its way: lost 0, doubled 0', async () => {
  const lines = { lines: 1, browsers: 1, gateways: 1 }
  const counted = await soakThrough({ inbound: 240, outbound: 48, kills: 1, customers: 6, ...lines })
  expect(counted).toMatchObject({ stored: 240, ...NOTHING_LOST })
}, 180_000)
