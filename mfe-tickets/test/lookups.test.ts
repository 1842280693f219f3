// The list of queues that something is decided by: asked for twice, late, or not coming at all.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { endSession, session } from '@balcao/ui/session'
import { startPageServer } from '../../ui/test/page.ts'
import { loadLookups, readQueues } from '../src/desk/lookups.ts'
import { makeUser } from './make.ts'

type Answer = ReturnType<typeof Promise.withResolvers<Response>>

let stop: () => unknown
/** The requests for queues, as they came. */
let answers: Answer[]
let next: ReturnType<typeof Promise.withResolvers<void>>

beforeEach(() => {
  answers = []
  next = Promise.withResolvers()
  const server = startPageServer({
    fetch(_, url) {
      if (!url.pathname.endsWith('/queue')) return Response.json([])
      const answer = Promise.withResolvers<Response>()
      answers.push(answer)
      next.resolve()
      next = Promise.withResolvers()
      return answer.promise
    },
  })
  stop = () => server.stop(true)
  endSession()
  session.user = makeUser('admin')
})

afterEach(async () => {
  for (const answer of answers) answer.resolve(Response.json([]))
  await stop()
  endSession()
})

const listQueues = (name: string) => Response.json([{ id: 1, name }])

test('who waits for the list gets the one that was asked for last, and not an empty one meanwhile', async () => {
  const first = next.promise
  void loadLookups()
  const read = readQueues()
  await first
  const second = next.promise
  void loadLookups()
  await second
  answers[0]?.resolve(listQueues('Antiga'))
  answers[1]?.resolve(listQueues('Nova'))
  expect((await read).map(({ name }) => name)).toEqual(['Nova'])
  expect(answers.length).toBe(2)
})

test('a slow first request keeps nobody waiting who has the answer of the second', async () => {
  const first = next.promise
  const read = readQueues()
  await first
  const second = next.promise
  void loadLookups()
  await second
  answers[1]?.resolve(listQueues('Nova'))
  expect((await read).map(({ name }) => name)).toEqual(['Nova'])
})

test('a list that does not come is no empty one: it says why, and is asked for again', async () => {
  const first = next.promise
  const read = readQueues().catch(String)
  await first
  answers[0]?.resolve(Response.json({ error: 'ERR_NO_PERMISSION', message: 'Sem permissão.' }, { status: 403 }))
  expect(await read).toContain('Sem permissão.')
  const second = next.promise
  const again = readQueues()
  await second
  answers[1]?.resolve(listQueues('Nova'))
  expect((await again).length).toBe(1)
})
