// A person at the desk without a browser: signed in, with cookies in memory, a token that renews itself, and a live line on demand.
import type { RequestBody, ResponseBody } from '@balcao/contract'
import type { Language } from '@balcao/contract/kit/language'
import { WebSocket as NodeSocket } from 'ws'
import { ask, callWithPatience, createApi, createOfflineError, type Fetch } from './api.ts'
import { ApiError } from './error.ts'
import { createLive, type LiveOptions } from './live.ts'

/**
 * Signs somebody in; throws the server's refusal as `ApiError`. For Bun and Node from 20 on.
 *
 * @example const { api } = await signIn('http://localhost:3000', { email, password })
 */
export async function signIn(
  origin: string,
  account: Pick<RequestBody<'POST /auth/login'>, 'email' | 'password'>,
  language?: Language,
) {
  const how = { fetch: createCookieFetch(), language }
  return createSession(origin, how, await requireDesk(ask(origin, 'POST /auth/login', { body: account }, how), ENTERED))
}

/** Which desk it is. `OFFLINE` where something else answers, such as a page, or another program's data. */
export function findDesk(origin: string) {
  const request = callWithPatience(PATIENCE_MS, signal =>
    ask(origin, 'GET /system', { signal }, { fetch: createCookieFetch() }),
  )
  return requireDesk(request, ['product', 'company', 'version'])
}

/**
 * Comes back with a terminal's token (`POST /auth/terminal`), which stays as it is. Refusals as of `POST /auth/refresh_token`.
 *
 * @example const { api } = await resumeSession('http://localhost:3000', token)
 */
export async function resumeSession(
  origin: string,
  token: string,
  { language, patienceMs = PATIENCE_MS }: { readonly language?: Language; readonly patienceMs?: number } = {},
) {
  const how = { fetch: createCookieFetch([['balcao_refresh', { value: token, path: '/auth' }]]), language }
  return createSession(origin, how, await requireDesk(requestRenewal(origin, how, patienceMs), ENTERED))
}

/** `OFFLINE` at the end of the time; the server may have used the cookie by then, so it is asked anew as the same `attempt`. */
function requestRenewal(origin: string, how: Speaking, patienceMs: number, body: { attempt?: string } = {}) {
  return callWithPatience(patienceMs, signal => ask(origin, 'POST /auth/refresh_token', { body, signal }, how))
}

const ENTERED = ['token', 'user', 'wireSecret'] as const

/** What a desk says. Of something else at its address neither the answer nor the refusal means anything: no desk is there. */
async function requireDesk<T extends object>(request: Promise<T>, parts: readonly (keyof T)[]): Promise<T> {
  const answer: unknown = await request.catch((error: unknown) => {
    const isRefusal = error instanceof ApiError && error.status !== 404 && /^(ERR_|OFFLINE$)/.test(error.code)
    throw isRefusal || !(error instanceof ApiError) ? error : createOfflineError(error)
  })
  const isWhole = typeof answer === 'object' && answer !== null && parts.every(part => part in answer)
  if (!isWhole) throw createOfflineError(new Error('something else answered'))
  return request
}

/** A server that takes the call and says nothing for so long does not answer. */
const PATIENCE_MS = 20_000

interface Speaking {
  readonly fetch: Fetch
  readonly language: Language | undefined
}

function createSession(origin: string, how: Speaking, entered: ResponseBody<'POST /auth/login'>) {
  const { fetch, language } = how
  let answer = entered
  let renewing: Promise<string> | undefined
  let attempt: string | undefined

  /** One at a time: the cookie is rotated, and the former one would end the session. */
  function renew(old: string | null): Promise<string> {
    if (answer.token !== old) return Promise.resolve(answer.token)
    attempt ??= crypto.randomUUID()
    renewing ??= requestRenewal(origin, how, PATIENCE_MS, { attempt })
      .then(renewed => {
        answer = renewed
        attempt = undefined
        return renewed.token
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }

  const { api } = createApi({
    origin: () => origin,
    token: () => answer.token,
    renew,
    fetch,
    ...(language && { language: () => language }),
  })
  return {
    api,
    user: answer.user,
    /** Opens what is sealed on the wire, such as e-mail addresses. */
    wireSecret: answer.wireSecret,
    /** The access token of the moment, for what is no call of the contract. */
    token: () => answer.token,
    /** The person's live line; it opens with `start`. */
    live: (options: Partial<LiveOptions> = {}) =>
      createLive({
        token: async () => (await api('POST /auth/socket')).token,
        address: () => `${origin.replace(/^http/, 'ws')}/socket`,
        socket: address => (globalThis.WebSocket ? new WebSocket(address) : createNodeSocket(address)),
        onState: () => undefined,
        ...options,
      }),
    signOut: () => api('DELETE /auth/logout'),
  }
}

/** Of a line that fails or is closed before it is open its close tells, too; an error that nobody hears would end the process. */
function createNodeSocket(address: string): NodeSocket {
  return new NodeSocket(address).on('error', () => undefined)
}

export type SignedIn = Awaited<ReturnType<typeof signIn>>

/** What the activity log knows it by. */
const TERMINAL = 'balcao-terminal'

interface Cookie {
  readonly value: string
  readonly path: string
}

/** A browser keeps cookies by itself, other runtimes do not. They go back to where they came from, below their path. */
function createCookieFetch(known: readonly (readonly [name: string, cookie: Cookie])[] = []): Fetch {
  const cookies = new Map(known)
  return async (url, init) => {
    const { pathname } = new URL(url)
    const fitting = [...cookies].filter(([, { path }]) => pathname.startsWith(path))
    const cookie = fitting.map(([name, { value }]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      ...init,
      headers: { ...toHeaderRecord(init), ...(cookie ? { cookie } : {}), 'user-agent': TERMINAL },
    })
    // A desk answers calls with data: a page is of a proxy, or of whoever else lives at this address.
    if (/^text\/html/i.test(answer.headers.get('content-type') ?? '')) throw new Error('a web page answered')
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, { value, path: /;\s*path=([^;]+)/i.exec(text)?.[1] ?? '/' })
    }
    return answer
  }
}

function toHeaderRecord({ headers }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries())
}
