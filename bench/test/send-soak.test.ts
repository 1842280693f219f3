import { afterAll, expect, test } from 'bun:test'
import { silenceSignal } from '@balcao/backend/channels/baileys/quiet'
import { isMet } from '../src/benchmark.ts'
import { stopEngine } from '../src/engine.ts'
import { sendThrough } from '../src/send-soak.ts'

if (process.env.TEST_PG) process.env.BENCH_PG ??= process.env.TEST_PG
silenceSignal()
afterAll(stopEngine)

test('decisions-2 §15: a send with kills, pauses, another time zone and a restart over midnight reaches everybody once, at its pace', async () => {
  const figures = await sendThrough({ recipients: 30, paceMs: 60, kills: 3 })
  expect(figures.filter(figure => isMet(figure) === false)).toEqual([])
  expect(figures.filter(figure => isMet(figure))).toHaveLength(7)
}, 240_000)
