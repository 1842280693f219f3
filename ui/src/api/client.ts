// The only way to the server's HTTP interface. Types come from the contract; no schema gets into the bundle.
import type { AnswerOf, BodyOf, EndpointKey, ParamsOf, QueryOf } from '@balcao/contract'
import { sessionSignal, whileHere } from '../session/scope.ts'
import { accessToken, keepToken } from '../session/token.ts'
import { ApiError, errorOf } from './error.ts'
import { refreshToken } from './refresh.ts'

/** What a call takes: `params` for the names after a colon, `body` where the endpoint has one (or a form, or a file). */
export type CallOptions<K extends EndpointKey> = {
  readonly query?: QueryOf<K>
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
} & (keyof ParamsOf<K> extends never ? { readonly params?: undefined } : { readonly params: ParamsOf<K> }) &
  (BodyOf<K> extends undefined ? { readonly body?: FormData | Blob } : { readonly body: BodyOf<K> })

type Needed<K extends EndpointKey> = keyof ParamsOf<K> extends never
  ? BodyOf<K> extends undefined
    ? [options?: CallOptions<K>]
    : [options: CallOptions<K>]
  : [options: CallOptions<K>]

let signedOut: (error: ApiError) => void = () => undefined

/** Calls back when the session turns out to be over; the shell shows the sign-in page. */
export function onSignedOut(listener: (error: ApiError) => void) {
  signedOut = listener
}

/**
 * Calls an endpoint of the contract. Renews the access token once on `ERR_TOKEN_EXPIRED`; signs out on 401.
 * Throws `ApiError`; its code is `OFFLINE` if no server answered. An abort rejects with the signal's reason.
 * What a person asked ends with them: a late answer reaches nobody (`whileHere`).
 *
 * @example const page = await api('GET /tickets', { query: { status: 'open' } })
 * @example await api('PUT /tickets/:id', { params: { id }, body: { status: 'closed' } })
 */
export async function api<K extends EndpointKey>(key: K, ...[options]: Needed<K>): Promise<AnswerOf<K>> {
  const request = requestOf(key, options)
  // The contract promises this answer to this key; the server validates against the same schema.
  return (await withRefresh(key, token => send(request, token))) as AnswerOf<K>
}

interface PreparedRequest {
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

/** Method, address and body of a call, as fetch takes them. */
export function requestOf(key: EndpointKey, options: LooseOptions = {}): PreparedRequest {
  const [method = 'GET', pattern = '/'] = key.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(options.params?.[name] ?? '')))
  const raw = options.body instanceof FormData || options.body instanceof Blob
  return {
    url: location.origin + path + queryText(options.query),
    method,
    body: raw
      ? (options.body as FormData | Blob)
      : options.body === undefined
        ? undefined
        : JSON.stringify(options.body),
    headers: {
      accept: 'application/json',
      ...(options.body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    signal: signalOf(key, options.signal),
  }
}

/** What belongs to the page, not to a person: the names, and saying goodbye. */
const OF_NOBODY: readonly EndpointKey[] = ['GET /system', 'DELETE /auth/logout']

function signalOf(key: EndpointKey, own: AbortSignal | undefined) {
  if (OF_NOBODY.includes(key)) return own
  return own ? AbortSignal.any([own, sessionSignal()]) : sessionSignal()
}

/** Runs a call with the token of the moment, and once more with a new one if the old has run out. */
export function withRefresh<T>(key: EndpointKey, call: (token: string | null) => Promise<T>): Promise<T> {
  if (OF_NOBODY.includes(key)) return call(accessToken())
  const asked = sessionSignal()
  return whileHere(asked, attempt(key, call, asked))
}

async function attempt<T>(key: EndpointKey, call: (token: string | null) => Promise<T>, asked: AbortSignal) {
  const token = accessToken()
  try {
    return await call(token)
  } catch (error) {
    if (asked.aborted || !(error instanceof ApiError)) throw error
    if (error.code !== 'ERR_TOKEN_EXPIRED') throw ended(key, error)
  }
  let renewed: string
  try {
    renewed = await refreshToken(token)
  } catch (error) {
    throw error instanceof ApiError && !asked.aborted ? ended(key, error) : offline(error)
  }
  asked.throwIfAborted()
  try {
    return await call(renewed)
  } catch (error) {
    throw error instanceof ApiError && !asked.aborted ? ended(key, error) : error
  }
}

/** A 401 outside of signing in means that the session is over; a blocked system counts as signed out (spec 1 §2). */
function ended(key: EndpointKey, error: ApiError) {
  if ((error.status === 401 || error.code === 'ERR_SYSTEM_BLOCKED') && key !== 'POST /auth/login') {
    keepToken(null)
    signedOut(error)
  }
  return error
}

async function send(request: PreparedRequest, token: string | null): Promise<unknown> {
  const { url, ...init } = request
  let response: Response
  try {
    response = await fetch(url, {
      ...init,
      credentials: 'same-origin',
      headers: { ...init.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw offline(error)
  }
  if (response.status === 204) return undefined
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(response.status, body, response.headers.get('retry-after'))
  return body
}

/** No server answered. */
export function offline(cause: unknown) {
  return new ApiError('OFFLINE', 0, cause instanceof Error ? cause.message : 'no answer')
}

function queryText(query: unknown) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  const text = search.toString()
  return text && `?${text}`
}
