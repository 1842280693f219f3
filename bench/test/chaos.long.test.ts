import { expect, test } from 'bun:test'
import { runChaos } from '../src/chaos.ts'

test('whatever befalls database and disk: answered = stored, sockets heard all, no process ends, and everything is whole again', async () => {
  const outcome = await runChaos({ holdS: 2, patienceS: 60 })
  expect(outcome).toMatchObject({ lost: [], doubled: [], unheard: [], wrong: [] })
  expect(outcome.answered).toBeGreaterThan(50)
}, 400_000)
