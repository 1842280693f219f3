// Work that takes long by itself: whatever comes at once, the event loop goes round between one piece and the next.
import { expect, test } from 'bun:test'
import { createRounds } from '../src/platform/http/turns.ts'

test('of what comes at once one is worked on in a round, in the order in which it came', async () => {
  const takeRound = createRounds()
  const worked: number[] = []
  const rounds: number[] = []
  let round = 0
  const count = () => {
    round++
    if (worked.length < 60) setImmediate(count)
  }
  const work = async (n: number) => {
    await takeRound()
    worked.push(n)
    rounds.push(round)
  }
  setImmediate(count)
  const all = Array.from({ length: 60 }, (_, n) => work(n))
  await Promise.all(all)
  expect(worked).toEqual(Array.from({ length: 60 }, (_, n) => n))
  expect(new Set(rounds).size).toBe(60)
})

test('who comes when nobody waits is let through at once, also after others', async () => {
  const takeRound = createRounds()
  await Promise.all([takeRound(), takeRound()])
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  const passed: string[] = []
  setImmediate(() => passed.push('a round later'))
  await takeRound()
  passed.push('at once')
  await new Promise(setImmediate)
  expect(passed).toEqual(['at once', 'a round later'])
})
