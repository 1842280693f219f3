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

test('a message that is on its way is not cut off when its person leaves, and signs nobody else out', async () => {
  const person = new AbortController()
  const ended: unknown[] = []
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  const signals: unknown[] = []
  const { api } = createApi({
    origin: () => 'http://desk',
    token: () => 'theirs',
    renew: () => Promise.reject(new Error('the next person has another one')),
    scope: () => person.signal,
    ended: error => ended.push(error),
    fetch: (_, { signal }) => {
      signals.push(signal)
      return answers[signals.length - 1]?.promise ?? Promise.reject(new Error('one more call'))
    },
  })
  const [gone, refused] = [1, 2].map(chatId =>
    api('POST /chats/messages/:chatId', { params: { chatId }, body: { body: 'oi' } }),
  )
  person.abort()
  answers[0]?.resolve(Response.json({ id: 7 }))
  answers[1]?.resolve(Response.json({ error: 'ERR_TOKEN_EXPIRED' }, { status: 401 }))
  expect<unknown>(await gone).toEqual({ id: 7 })
  expect(await refused?.catch(error => error.status)).toBe(401)
  expect([ended, signals]).toEqual([[], [undefined, undefined]])
})
