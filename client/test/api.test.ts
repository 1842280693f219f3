import { expect, test } from 'bun:test'
import { createApi } from '../src/api.ts'

test('an answer that comes after its person has left reaches nobody, be it good or bad', async () => {
  const person = new AbortController()
  const heard: unknown[] = []
  const calls = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
  const of = (scope: () => AbortSignal) =>
    createApi({ origin: () => 'http://desk', token: () => null, renew: async () => '', scope })
  const theirs = of(() => person.signal)
  for (const { promise } of calls) theirs.withToken('GET /queue', () => promise).then(heard.push, heard.push)
  const stays = of(() => new AbortController().signal).withToken('GET /queue', () =>
    Promise.all(calls.map(({ promise }) => promise.catch(String))),
  )
  person.abort()
  calls[0].resolve('rows')
  calls[1].reject(new Error('refused'))
  await stays
  expect(heard).toEqual([])
})
