import { expect, spyOn, test } from 'bun:test'
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
  const signals: (AbortSignal | null | undefined)[] = []
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
  expect([ended, signals.map(signal => signal?.aborted)]).toEqual([[], [false, false]])
})

test('an answer that does not come ends the call, whether the network heeds it or not; a file goes up for as long as it takes', async () => {
  const late = new AbortController()
  const timeout = spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  const person = new AbortController()
  const answer = Promise.withResolvers<Response>()
  const cutOff = new Response(
    new ReadableStream({
      start: stream => late.signal.addEventListener('abort', () => stream.error(late.signal.reason)),
    }),
  )
  const answers = [
    (signal: AbortSignal) =>
      new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    () => new Promise<Response>(() => undefined),
    async () => cutOff,
    () => answer.promise,
  ]
  const { api } = createApi({
    ...{ origin: () => 'http://desk', token: () => 'theirs', renew: async () => 'new', scope: () => person.signal },
    fetch: (_, { signal }) => answers.shift()?.(signal ?? late.signal) ?? Promise.reject(new Error('one more call')),
  })
  const calls = [1, 2, 3].map(() => api('GET /queue').then(String, error => error.code))
  const file = api('POST /contacts/import', { body: new FormData() })
  late.abort(new DOMException('took too long', 'TimeoutError'))
  expect(await Promise.all(calls)).toEqual(['OFFLINE', 'OFFLINE', 'OFFLINE'])
  timeout.mockRestore()
  answer.resolve(Response.json({ id: 7 }))
  expect<unknown>(await file).toEqual({ id: 7 })
})

test('a call has half a minute, what an AI writes or a connection shows a whole one, and a file as long as it moves', async () => {
  const timeout = spyOn(AbortSignal, 'timeout')
  const { api } = createApi({
    ...{ origin: () => 'http://desk', token: () => 'theirs', renew: async () => 'new' },
    fetch: async () => Response.json({}),
  })
  const readLimits = async (call: () => Promise<unknown>) => {
    timeout.mockClear()
    await call()
    return timeout.mock.calls.map(([ms]) => ms)
  }
  expect(await readLimits(() => api('GET /queue'))).toEqual([30_000])
  expect(await readLimits(() => api('POST /tag', { body: { name: 'VIP' } }))).toEqual([30_000])
  expect(await readLimits(() => api('DELETE /tag/:id', { params: { id: 7 } }))).toEqual([30_000])
  expect(await readLimits(() => api('POST /tickets/ai/resume/:id', { params: { id: 7 } }))).toEqual([60_000])
  const phone = { params: { id: 7 }, body: { phone: '5531999990000' } }
  expect(await readLimits(() => api('POST /whatsapp/pair/:id', phone))).toEqual([60_000])
  expect(await readLimits(() => api('POST /whatsapp/meow/pair/:id', phone))).toEqual([60_000])
  expect(await readLimits(() => api('POST /contacts/import', { body: new FormData() }))).toEqual([])
  timeout.mockRestore()
})

test('an answer that breaks off is none, and one that is no JSON says nothing', async () => {
  const answers = [
    new Response(new ReadableStream({ start: stream => stream.error(new TypeError('the line broke')) })),
    new Response('<html>', { status: 502 }),
  ]
  const { api } = createApi({
    ...{ origin: () => 'http://desk', token: () => 'theirs', renew: async () => 'new' },
    fetch: async () => answers.shift() ?? Response.error(),
  })
  const ask = () => api('GET /queue').catch(error => [error.code, error.status])
  expect<unknown>([await ask(), await ask()]).toEqual([
    ['OFFLINE', 0],
    ['ERR_INTERNAL', 502],
  ])
})
