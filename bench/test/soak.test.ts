import { afterAll, expect, test } from 'bun:test'
import { silenceSignal } from '@balcao/backend/channels/baileys/quiet'
import { stopEngine } from '../src/engine.ts'
import { soakThrough } from '../src/soak.ts'

process.env.BENCH_PG ??= process.env.TEST_PG
silenceSignal()
afterAll(stopEngine)

test('messages both ways with repeats, reordering, cut lines and two kills: lost 0, doubled 0', async () => {
  const counted = await soakThrough({ inbound: 800, outbound: 120, kills: 2, customers: 15, lines: 1 })
  expect(counted).toMatchObject({
    stored: 800,
    lostIn: 0,
    doubledIn: 0,
    doubledPeople: 0,
    undigested: 0,
    lostOut: 0,
    doubledOut: 0,
    waiting: 0,
  })
}, 180_000)
