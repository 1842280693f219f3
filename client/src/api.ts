// Calls to the server's HTTP interface, in a page and without one. Types come from the contract; no schema gets into a bundle.
import type { EndpointKey, PathParams, QueryParams, RequestBody, ResponseBody } from '@balcao/contract'
import type { Language } from '@balcao/contract/kit/language'
import { ApiError, toApiError } from './error.ts'

/** What a call takes: `params` for the names after a colon, `body` where the endpoint has one (or a form, or a file). */
export type CallOptions<K extends EndpointKey> = {
  readonly query?: QueryParams<K>
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
} & (keyof PathParams<K> extends never ? { readonly params?: undefined } : { readonly params: PathParams<K> }) &
  (RequestBody<K> extends undefined ? { readonly body?: FormData | Blob } : { readonly body: RequestBody<K> })

type CallArguments<K extends EndpointKey> = keyof PathParams<K> extends never
  ? RequestBody<K> extends undefined
    ? [options?: CallOptions<K>]
    : [options: CallOptions<K>]
  : [options: CallOptions<K>]

/** What calls need from around them: a page has one session for all its tabs, the terminal one in a file. */
export interface ApiOptions {
  /** `https://host` */
  readonly origin: () => string
  /** The access token of the moment, read anew for each call: somebody else may have renewed it. */
  readonly token: () => string | null
  /** A token newer than `old`; throws the server's refusal when the session is over. */
  readonly renew: (old: string | null) => Promise<string>
  /** Called when the session turns out to be over. */
  readonly ended?: (error: ApiError) => void
  /** Ends with whoever asks: what is on its way is cut off, and a late answer reaches nobody; a message's answer reaches its sender's queue. */
  readonly scope?: () => AbortSignal
  /** In which language the server is to say why it refuses; Portuguese unless given. */
  readonly language?: () => Language
  /** Another way to the network than the runtime's own, such as one that keeps cookies. */
  readonly fetch?: Fetch
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
export type Api = ReturnType<typeof createApi>

/** Method, address and body of a call, as fetch takes them. */
export interface PreparedCall {
  readonly url: string
  readonly method: string
  readonly body: BodyInit | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

interface LooseOptions {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** What belongs to nobody in particular: the names, and saying goodbye. */
const OF_NOBODY: readonly EndpointKey[] = ['GET /system', 'DELETE /auth/logout']

/** What somebody has said already: it is not taken back by their leaving, in this tab or in another. */
const SENDINGS: readonly EndpointKey[] = ['POST /messages/:ticketId', 'POST /chats/messages/:chatId']

/** What has no answer for so long gets none: the line is gone, or the server hangs, ms. What an AI writes, or a connection's owner shows, may take longer. */
const PATIENCE_MS = 30_000
const LONG_PATIENCE_MS = 60_000
const SLOW_CALLS: readonly EndpointKey[] = [
  'POST /tickets/ai/resume/:id',
  'POST /whatsapp/pair/:id',
  'POST /whatsapp/meow/pair/:id',
]

export function createApi(context: ApiOptions) {
  function prepare(key: EndpointKey, options: LooseOptions = {}): PreparedCall {
    const scope = OF_NOBODY.includes(key) || SENDINGS.includes(key) ? undefined : context.scope?.()
    const signals = [options.signal, scope].filter(signal => signal !== undefined)
    return toPreparedCall(context.origin(), key, context.language?.(), {
      ...options,
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    })
  }

  /** Runs a call with the token of the moment, and once more with a new one if the old has run out. */
  function withToken<T>(key: EndpointKey, call: (token: string | null) => Promise<T>): Promise<T> {
    if (OF_NOBODY.includes(key)) return call(context.token())
    const scope = context.scope?.()
    const answer = attempt(key, call, scope)
    return scope && !SENDINGS.includes(key) ? abortWith(scope, answer) : answer
  }

  async function attempt<T>(key: EndpointKey, call: (token: string | null) => Promise<T>, signal?: AbortSignal) {
    const token = context.token()
    try {
      return await call(token)
    } catch (error) {
      if (signal?.aborted || !(error instanceof ApiError)) throw error
      if (error.code !== 'ERR_TOKEN_EXPIRED') throw ended(key, error, token)
    }
    let renewed: string
    try {
      renewed = await context.renew(token)
    } catch (error) {
      throw error instanceof ApiError && !signal?.aborted ? ended(key, error, token) : createOfflineError(error)
    }
    signal?.throwIfAborted()
    try {
      return await call(renewed)
    } catch (error) {
      throw error instanceof ApiError && !signal?.aborted ? ended(key, error, renewed) : error
    }
  }

  /**
   * A 401 outside of signing in means that the session is over; a blocked system counts as signed out (spec 1 §2). Unless somebody has
   * signed in again meanwhile, in another tab: what was over is the session before.
   */
  function ended(key: EndpointKey, error: ApiError, token: string | null) {
    const isOver = error.status === 401 || error.code === 'ERR_SYSTEM_BLOCKED'
    if (isOver && key !== 'POST /auth/login' && context.token() === token) context.ended?.(error)
    return error
  }

  /**
   * Calls an endpoint of the contract. Renews the access token once on `ERR_TOKEN_EXPIRED`.
   * Throws `ApiError`; its code is `OFFLINE` if no server answered, or not in time: it may have been done all the same. An abort
   * rejects with the signal's reason. A file goes up for as long as it takes.
   *
   * @example const page = await api('GET /tickets', { query: { status: 'open' } })
   * @example await api('PUT /tickets/:id', { params: { id }, body: { status: 'closed' } })
   */
  async function api<K extends EndpointKey>(key: K, ...[options]: CallArguments<K>): Promise<ResponseBody<K>> {
    const request = prepare(key, options)
    // The contract promises this answer to this key; the server validates against the same schema.
    return (await withToken(key, token => {
      if (typeof request.body === 'object') return send(request, token, context.fetch)
      return callWithPatience(SLOW_CALLS.includes(key) ? LONG_PATIENCE_MS : PATIENCE_MS, late => {
        const signal = request.signal ? AbortSignal.any([request.signal, late]) : late
        return send({ ...request, signal }, token, context.fetch)
      })
    })) as ResponseBody<K>
  }

  return { api, prepare, withToken }
}

/** One call by itself, such as the sign-in: nothing is renewed, nobody is signed out. Errors as `api`. */
export async function ask<K extends EndpointKey>(
  origin: string,
  key: K,
  options: CallOptions<K>,
  how: {
    readonly token?: string
    readonly language?: Language | undefined
    readonly fetch?: Fetch
    readonly keepalive?: boolean
  } = {},
): Promise<ResponseBody<K>> {
  const request = {
    ...toPreparedCall(origin, key, how.language, options),
    ...(how.keepalive ? { keepalive: true } : {}),
  }
  return (await send(request, how.token ?? null, how.fetch)) as ResponseBody<K>
}

/** Gives up what does not come in time, whether it heeds its signal or not: `OFFLINE`. */
export async function callWithPatience<T>(patienceMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = AbortSignal.timeout(patienceMs)
  const end = new Promise<never>((_, reject) => late.addEventListener('abort', reject, { once: true }))
  try {
    return await Promise.race([call(late), end])
  } catch (error) {
    throw late.aborted ? createOfflineError(error) : error
  }
}

/** No server answered. */
export function createOfflineError(cause: unknown) {
  return new ApiError('OFFLINE', 0, cause instanceof Error ? cause.message : 'no answer')
}

function toPreparedCall(
  origin: string,
  key: EndpointKey,
  language: Language | undefined,
  { params, query, body, headers, signal }: LooseOptions,
): PreparedCall {
  const [method = 'GET', pattern = '/'] = key.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const isRaw = body instanceof FormData || body instanceof Blob
  return {
    url: origin + path + queryText(query),
    method,
    body: isRaw || body === undefined ? body : JSON.stringify(body),
    headers: {
      accept: 'application/json',
      ...(language ? { 'accept-language': language } : {}),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    signal,
  }
}

async function send({ url, ...init }: PreparedCall, token: string | null, via: Fetch = fetch): Promise<unknown> {
  let response: Response
  let body: unknown
  try {
    response = await via(url, {
      ...init,
      credentials: 'same-origin',
      headers: { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    })
    if (response.status === 204) return undefined
    body = await response.json().catch(passUnreadable)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw createOfflineError(error)
  }
  if (!response.ok) throw toApiError(response.status, body, response.headers.get('retry-after'))
  return body
}

/** Whole, and no JSON: of something else in the server's place. */
function passUnreadable(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

function queryText(query: unknown) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  const text = search.toString()
  return text && `?${text}`
}

/** The answer to what a person asked, as long as they are here: afterwards it stays open, and all that waits for it with it. */
function abortWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(
      value => signal.aborted || resolve(value),
      error => signal.aborted || reject(error),
    )
  })
}
