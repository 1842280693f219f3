import { afterAll, expect, test } from 'bun:test'
import { stopEngine } from '../src/engine.ts'
import { runStorm } from '../src/live-storm.ts'

if (process.env.TEST_PG) process.env.BENCH_PG ??= process.env.TEST_PG
afterAll(stopEngine)

test('lines that break, rights and settings that change and transactions that commit late over two processes: nobody misses an event, nobody is told of what is another’s', async () => {
  const stormed = await runStorm({ people: 24, rate: 60, seconds: 4 })
  expect(stormed).toMatchObject({ missed: 0, strangers: 0 })
  expect(Math.min(stormed.events, stormed.returns, stormed.resets, stormed.moves)).toBeGreaterThan(0)
})
