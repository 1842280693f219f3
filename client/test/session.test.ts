import { afterAll, expect, spyOn, test } from 'bun:test'
import { signIn } from '../src/session.ts'

let renewals = 0
const attempts: string[] = []
let isSilent = false
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const cookie = request.headers.get('cookie')
    if (pathname === '/auth/login') return makeEntry('old', 'first')
    if (pathname === '/auth/refresh_token') {
      attempts.push((await request.json()).attempt)
      if (isSilent) return new Promise<Response>(() => undefined)
      if (cookie !== `balcao_refresh=${renewals === 0 ? 'first' : 'next'}`) return refusal(401, 'ERR_SESSION_EXPIRED')
      renewals += 1
      return makeEntry('new', 'next')
    }
    if (cookie !== null) return refusal(400, 'ERR_VALIDATION')
    if (request.headers.get('authorization') === 'Bearer old') return refusal(403, 'ERR_TOKEN_EXPIRED')
    return Response.json([])
  },
})
afterAll(() => server.stop(true))

test('a session without a browser keeps its cookies below their path, and renews itself once for many calls', async () => {
  const { api, token } = await signIn(server.url.origin, { email: 'ana@loja.example', password: 'x' })
  expect(await Promise.all([api('GET /queue'), api('GET /settings'), api('GET /tag')])).toEqual([[], [], []])
  expect([renewals, token()]).toEqual([1, 'new'])
})

test('a renewal that has no answer in time ends the calls that wait for it, and the next call asks anew', async () => {
  renewals = 0
  const { api, token } = await signIn(server.url.origin, { email: 'ana@loja.example', password: 'x' })
  const late = new AbortController()
  const timeout = spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal)
  isSilent = true
  const before = attempts.length
  const call = api('GET /queue').catch(error => error.code)
  while (attempts.length === before) await Bun.sleep(1)
  late.abort(new DOMException('took too long', 'TimeoutError'))
  expect<unknown>(await call).toBe('OFFLINE')
  timeout.mockRestore()
  isSilent = false
  expect<unknown>(await api('GET /queue')).toEqual([])
  expect([renewals, token()]).toEqual([1, 'new'])
  const [first = '', ...others] = attempts.slice(before)
  expect([first === '', others]).toEqual([false, [first]])
})

function makeEntry(token: string, cookie: string) {
  const headers = { 'set-cookie': `balcao_refresh=${cookie}; Path=/auth; HttpOnly` }
  return Response.json({ token, user: { name: 'Ana' }, wireSecret: '' }, { headers })
}

function refusal(status: number, error: string) {
  return Response.json({ error, message: error }, { status })
}
