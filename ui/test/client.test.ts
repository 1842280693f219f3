import { afterAll, beforeEach, expect, setSystemTime, spyOn, test } from 'bun:test'
import { ApiError } from '@balcao/client'
import { forgetAhead } from '../src/api/ahead.ts'
import { api, askAhead, onSignedOut } from '../src/api/client.ts'
import { refreshToken, resumeSession } from '../src/api/refresh.ts'
import { endSession } from '../src/session/scope.ts'
import { getAccessToken, keepToken } from '../src/session/token.ts'
import { startPageServer, waitUntil } from './page.ts'

let refreshes = 0
let refreshAnswer: () => Response | Promise<Response>
const attempts: unknown[] = []
const seen: { url: string; token: string | null; body: string }[] = []

const server = startPageServer({
  async fetch(request, url) {
    if (url.pathname === '/auth/refresh_token') {
      refreshes += 1
      attempts.push((await request.json()).attempt)
      // Long enough for other calls to arrive while it runs.
      await Bun.sleep(5)
      return refreshAnswer()
    }
    const token = request.headers.get('authorization')
    seen.push({ url: url.pathname + url.search, token, body: await request.text() })
    if (url.pathname === '/auth/login') return refusal(401, 'ERR_INVALID_CREDENTIALS')
    if (url.pathname === '/tag') return refusal(403, 'ERR_NO_PERMISSION')
    if (url.pathname.startsWith('/quickAnswers/')) return new Response(null, { status: 204 })
    if (token === 'Bearer old') return refusal(403, 'ERR_TOKEN_EXPIRED')
    if (token === 'Bearer blocked') return refusal(403, 'ERR_SYSTEM_BLOCKED')
    if (token === 'Bearer over') return refusal(401, 'ERR_SESSION_EXPIRED')
    return Response.json([])
  },
})

const ended: ApiError[] = []

beforeEach(() => {
  refreshes = 0
  attempts.length = 0
  seen.length = 0
  ended.length = 0
  onSignedOut(error => ended.push(error))
  refreshAnswer = () => Response.json({ token: 'new', user: {}, wireSecret: '' })
})

afterAll(() => server.stop(true))

test('an expired access token is refreshed once and the call repeated with the new one', async () => {
  keepToken('old')
  expect(await api('GET /queue')).toEqual([])
  expect(seen.map(call => call.token)).toEqual(['Bearer old', 'Bearer new'])
  expect(getAccessToken()).toBe('new')
})

test('many calls with an expired token share one refresh', async () => {
  keepToken('old')
  await Promise.all([api('GET /queue'), api('GET /queue'), api('GET /settings'), api('GET /settings')])
  expect(refreshes).toBe(1)
})

test('a page that follows one left in its renewal waits for the cookie that this one was to get', async () => {
  keepToken('old')
  Reflect.set(document, 'cookie', 'balcao_renewal=1')
  localStorage.setItem('balcao.renewal', JSON.stringify({ at: Date.now(), cookie: 'balcao_renewal=1' }))
  const renewed = refreshToken('old')
  await Bun.sleep(60)
  expect(refreshes).toBe(0)
  Reflect.set(document, 'cookie', 'balcao_renewal=2')
  expect([await renewed, refreshes, localStorage.getItem('balcao.renewal')]).toEqual(['new', 1, null])

  localStorage.setItem('balcao.renewal', JSON.stringify({ at: Date.now() - 5001, cookie: 'balcao_renewal=2' }))
  expect(await refreshToken('new')).toBe('new')
  Reflect.set(document, 'cookie', 'balcao_renewal=; Max-Age=0')
})

test('a renewal without an answer is given up and asked for again as the same attempt, until the cookie is another one', async () => {
  keepToken('old')
  Reflect.set(document, 'cookie', 'balcao_renewal=1')
  const enough = new AbortController()
  const timeout = spyOn(AbortSignal, 'timeout').mockReturnValue(enough.signal)
  refreshAnswer = () => new Promise(() => undefined)
  const call = caught(api('GET /queue'))
  await waitUntil(() => attempts.length === 1, 'the renewal is on its way')
  enough.abort(new DOMException('took too long', 'TimeoutError'))
  expect([(await call).code, ended, getAccessToken()]).toEqual(['OFFLINE', [], 'old'])
  timeout.mockRestore()

  refreshAnswer = () => Response.json({ token: 'new', user: {}, wireSecret: '' })
  expect(await api('GET /queue')).toEqual([])
  Reflect.set(document, 'cookie', 'balcao_renewal=2')
  await resumeSession()
  const [first, second, third] = attempts
  expect([attempts.length, first === second, second === third]).toEqual([3, true, false])
  Reflect.set(document, 'cookie', 'balcao_renewal=; Max-Age=0')
})

test('a call that is refused again after the refresh is not tried a third time', async () => {
  keepToken('old')
  refreshAnswer = () => Response.json({ token: 'old', user: {}, wireSecret: '' })
  const error = await caught(api('GET /queue'))
  expect(error.code).toBe('ERR_TOKEN_EXPIRED')
  expect(refreshes).toBe(1)
  expect(seen).toHaveLength(2)
})

test('a refusal for lack of rights does not try to refresh', async () => {
  keepToken('old')
  const error = await caught(api('GET /tag'))
  expect([error.code, error.status, refreshes]).toEqual(['ERR_NO_PERMISSION', 403, 0])
  expect(ended).toEqual([])
})

test('a 401 clears the stored token and signs the person out', async () => {
  keepToken('over')
  await caught(api('GET /queue'))
  expect(getAccessToken()).toBeNull()
  expect(ended.map(error => error.code)).toEqual(['ERR_SESSION_EXPIRED'])
})

test('a refresh that is refused signs the person out', async () => {
  keepToken('old')
  refreshAnswer = () => refusal(401, 'ERR_SESSION_EXPIRED')
  await caught(api('GET /queue'))
  expect(getAccessToken()).toBeNull()
  expect(ended).toHaveLength(1)
})

test('a blocked system counts as signed out, and nothing is refreshed', async () => {
  keepToken('blocked')
  const error = await caught(api('GET /queue'))
  expect(ended).toEqual([error])
  expect([getAccessToken(), refreshes]).toEqual([null, 0])
})

test('what a person asked ends with them: the request is cut off, and its answer reaches nobody', async () => {
  keepToken('fresh')
  const heard: unknown[] = []
  const own = new AbortController()
  api('GET /queue').then(heard.push, heard.push)
  api('GET /queue', { signal: own.signal }).then(heard.push, heard.push)
  endSession()
  expect(await api('GET /queue')).toEqual([])
  expect(heard).toEqual([])
})

test('a late refusal of who was here does not sign out who is here now', async () => {
  keepToken('over')
  void api('GET /queue')
  endSession()
  keepToken('fresh')
  expect(await api('GET /queue')).toEqual([])
  expect([getAccessToken(), ended]).toEqual(['fresh', []])
})

test('a refusal of the former session does not sign out who has signed in in another tab meanwhile', async () => {
  keepToken('over')
  const call = caught(api('GET /queue'))
  keepToken('fresh')
  expect((await call).code).toBe('ERR_SESSION_EXPIRED')
  expect([getAccessToken(), ended]).toEqual(['fresh', []])

  keepToken('old')
  refreshAnswer = () => refusal(401, 'ERR_SESSION_EXPIRED')
  const renewed = caught(api('GET /queue'))
  await waitUntil(() => refreshes === 1, 'the renewal is on its way')
  keepToken('fresh')
  await renewed
  expect([getAccessToken(), ended]).toEqual(['fresh', []])
})

test('who signs out while the session is being renewed is not signed in again by the answer', async () => {
  keepToken('old')
  const renewed = refreshToken('old').catch(String)
  await waitUntil(() => refreshes === 1, 'the renewal is on its way')
  keepToken(null)
  endSession()
  expect(await renewed).toContain('AbortError')
  expect([refreshes, getAccessToken()]).toEqual([1, null])
})

test('a wrong password is no end of a session', async () => {
  keepToken(null)
  const error = await caught(api('POST /auth/login', { body: { email: 'a@b.c', password: 'x' } }))
  expect(error.code).toBe('ERR_INVALID_CREDENTIALS')
  expect(ended).toEqual([])
})

test('parameters, query and body go where the contract says', async () => {
  keepToken('good')
  await api('GET /quickAnswers/:id', { params: { id: 'a/b' } })
  await api('GET /tickets', { query: { status: 'open', cursor: undefined, searchParam: 'José & cia' } })
  await api('PUT /settings/:key', { params: { key: 'sound' }, body: { value: 'blub' } })
  expect(seen.map(({ url, body }) => [url, body])).toEqual([
    ['/quickAnswers/a%2Fb', ''],
    ['/tickets?status=open&searchParam=Jos%C3%A9+%26+cia', ''],
    ['/settings/sound', '{"value":"blub"}'],
  ])
})

test('no answer at all is OFFLINE, and nobody is signed out', async () => {
  keepToken('good')
  const other = startPageServer({ fetch: () => Response.json({}) })
  await other.stop(true)
  const error = await caught(api('GET /queue'))
  Reflect.get(window, 'happyDOM').setURL(server.url.href)
  expect([error.code, error.status]).toEqual(['OFFLINE', 0])
  expect(getAccessToken()).toBe('good')
})

test('a refused form says what is wrong with each field', () => {
  const error = new ApiError('ERR_VALIDATION', 422, '', [{ path: 'queues/0/name', message: 'curto' }])
  expect([error.field('queues')?.message, error.field('name')]).toEqual(['curto', null])
})

function refusal(status: number, error: string) {
  return Response.json({ error, message: error }, { status })
}

async function caught(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected a refusal, got ${String(error)}`)
  return error
}

test('what a screen asks first is asked ahead and handed out once, until something is told', async () => {
  keepToken('new')
  askAhead('GET /users', { all: 'true' })
  await api('GET /users', { query: { all: 'true' } })
  expect(seen.map(({ url }) => url)).toEqual(['/users?all=true'])
  await api('GET /users', { query: { all: 'true' } })
  expect(seen.length).toBe(2)
  askAhead('GET /queue')
  forgetAhead()
  await api('GET /queue')
  expect(seen.map(({ url }) => url).slice(2)).toEqual(['/queue', '/queue'])
})

test('what was asked ahead for somebody else, or too long ago, answers nobody', async () => {
  keepToken('of another')
  askAhead('GET /settings')
  keepToken('new')
  await api('GET /settings')
  expect(seen.map(({ token }) => token)).toEqual(['Bearer of another', 'Bearer new'])
  askAhead('GET /settings')
  setSystemTime(Date.now() + 11_000)
  await api('GET /settings')
  setSystemTime()
  expect(seen.length).toBe(4)
})

test('what was asked ahead with a token that had run out is asked again with a new one', async () => {
  keepToken('old')
  askAhead('GET /queue')
  expect(await api('GET /queue')).toEqual([])
  expect(seen.map(({ token }) => token)).toEqual(['Bearer old', 'Bearer new'])
})
