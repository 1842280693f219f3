// A call of the contract and the function that answers it. Everything around that function happens here, once:
// session, parameters, query, body, answer, refusals.
import {
  type Endpoint,
  type EndpointKey,
  endpoints,
  type PathParams,
  type QueryParams,
  type RequestBody,
  type ResponseBody,
} from '@balcao/contract'
import Type from 'typebox'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { toStorable } from '../../platform/database/storable.ts'
import { isJsonType, JSON_LIMITS, PUBLIC_LIMITS, readJson } from '../../platform/http/body.ts'
import { AppError, toRefusalResponse } from '../../platform/http/errors.ts'
import { createJsonResponse } from '../../platform/http/json-response.ts'
import { isOwnOrigin } from '../../platform/http/origin.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { detectLogSource, runWithLogSource } from '../log/source.ts'
import { isFromProgram, loadProgramSession } from '../sessions/api-caller.ts'
import { loadSession, readClaims, type Session } from '../sessions/authenticate.ts'
import { findKnownSession } from '../sessions/known-sessions.ts'
import type { Claims } from '../sessions/tokens.ts'
import type { Parts } from './parts.ts'

/** What a handler is given, besides its session. `headers` are added to the answer. */
export interface PublicCall<K extends EndpointKey> {
  readonly params: { readonly [N in keyof PathParams<K>]: string }
  readonly query: QueryParams<K>
  readonly body: RequestBody<K>
  readonly request: Request
  readonly url: URL
  readonly address: string
  readonly arrivedAt: number
  readonly headers: Headers
  /** Whether and as whom it is let in now: for who reads the body himself, which may come as slowly as somebody likes. */
  readonly admitted: () => Promise<unknown>
}
export interface SessionCall<K extends EndpointKey> extends PublicCall<K> {
  readonly session: Session
  readonly admitted: () => Promise<Session>
}
/** Of programs alone. Null: the one token of the settings, which is nobody. */
export interface ProgramCall<K extends EndpointKey> extends PublicCall<K> {
  readonly session: Session | null
  readonly admitted: () => Promise<Session | null>
}
type CallOf<K extends EndpointKey> = (typeof endpoints)[K] extends { readonly audience: 'public' }
  ? PublicCall<K>
  : (typeof endpoints)[K] extends { readonly audience: 'token' }
    ? ProgramCall<K>
    : SessionCall<K>

type Result<K extends EndpointKey> = (typeof endpoints)[K] extends { readonly streams: true }
  ? ReadableStream<Uint8Array>
  : ResponseBody<K> extends undefined
    ? // biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of a handler whose call answers nothing
      void
    : ResponseBody<K>

type Handler<K extends EndpointKey> = (call: CallOf<K>) => Promise<Result<K>> | Result<K>

/** What arrived, before anything is known about it. */
export interface Arrival {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly address: string
}

/** A registered call. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly answer: (arrival: Arrival, parts: Parts) => Promise<Response>
}

/**
 * Registers the answer of one call of the contract.
 * @example serve('GET /tickets/:id', ({ session, params }) => getTicket(parts, session, params.id))
 */
export function serve<K extends EndpointKey>(key: K, handler: Handler<K>): Route {
  return register(key, handler, 'after its session')
}

/**
 * The same of a call that reads rows of the database and does nothing else. It may begin with the session of the last request, while the
 * database is asked for the one of now; only if they are the same its answer is given, else it is read again (0263).
 * @example serveRead('GET /tag', () => listTags(db))
 */
export function serveRead<K extends Extract<EndpointKey, `GET ${string}`>>(key: K, handler: Handler<K>): Route {
  return register(key, handler, 'beside its session')
}

/**
 * The same of a call that begins with the statement of a page: this and the session's go to the server in one write, over one of the connections
 * for pages, which spares both sides a third of what a page costs beside its rows.
 */
export function servePage<K extends Extract<EndpointKey, `GET ${string}`>>(key: K, handler: Handler<K>): Route {
  return register(key, handler, 'with its session')
}

/** When what answers a call begins. */
type Beginning = 'after its session' | 'beside its session' | 'with its session'

function register<K extends EndpointKey>(key: K, handler: Handler<K>, beginning: Beginning): Route {
  const endpoint: Endpoint = endpoints[key]
  const [method = '', path = ''] = key.split(' ')
  const query = endpoint.query ? createValidator(endpoint.query, 'text') : null
  const body = endpoint.body ? createValidator(endpoint.body) : null
  const mayLack = method === 'DELETE' || (endpoint.body !== undefined && Type.IsOptional(endpoint.body))
  const done = endpoint.status ?? 200
  return {
    method,
    path,
    async answer({ request, params, address }, parts) {
      const arrivedAt = Date.now()
      const { audience } = endpoint
      const isProgram = audience === 'token' || (audience !== 'public' && isFromProgram(request))
      // What changes something may set a cookie: never for a page of another site. Programs with a token of their own have no cookies.
      if (method !== 'GET' && !isProgram && !isOwnOrigin(request, parts.config.publicUrl))
        throw new AppError('ERR_NO_PERMISSION')
      const loadProgram = (isFirst: boolean) => loadProgramSession(parts, request, address, endpoint, isFirst)
      const program = isProgram ? await loadProgram(true) : null
      const claims = audience === 'public' || isProgram ? null : await readClaims(parts, request)
      const given =
        body && isJson(endpoint, request)
          ? await readJson(request, address, audience === 'public' ? PUBLIC_LIMITS : JSON_LIMITS)
          : undefined
      const url = new URL(request.url)
      const headers = new Headers({ 'cache-control': 'no-store' })
      // What goes over connections of its own knows sessions of its own, too.
      const db = beginning === 'with its session' ? getPageDatabase(parts.db) : parts.db
      const loadCurrent = (of: Claims, joinsNext = false) => loadCallSession(db, endpoint, of, joinsNext)
      const handle = async (session: Session | null) =>
        handler(
          typed<K>({
            params,
            query: query?.(toStorable(pickFilledParameters(url.searchParams))),
            body: body && isJson(endpoint, request) ? checked(body, mayLack, given) : undefined,
            request,
            url,
            address,
            arrivedAt,
            headers,
            session,
            admitted: async () => (claims ? loadCurrent(claims) : isProgram ? loadProgram(false) : null),
          }),
        )
      // After the body, which may come as slowly as somebody likes: who was let out meanwhile is out.
      const known = claims && beginning !== 'after its session' ? findKnownSession(db, claims) : null
      const loading = claims && loadCurrent(claims, known !== null && beginning === 'with its session')
      const early = known && handle(known)
      early?.catch(() => {})
      const again = isProgram && given !== undefined ? loadProgram(false) : program
      const session = (await loading) ?? (await again)
      const source = isProgram ? 'api' : detectLogSource(request)
      try {
        const isKnown = early !== null && session === known
        const answer = await (isKnown ? early : runWithLogSource(source, () => handle(session)))
        const status = endpoint.look && url.searchParams.get('preview') === 'true' ? 200 : done
        if (answer instanceof ReadableStream) {
          headers.set('content-type', 'text/plain; charset=utf-8')
          return new Response(answer, { status, headers })
        }
        if (status === 204 || answer === undefined) return new Response(null, { status: 204, headers })
        return createJsonResponse(answer, { status, headers })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const answer = toRefusalResponse(error, request)
        for (const cookie of headers.getSetCookie()) answer.headers.append('set-cookie', cookie)
        return answer
      }
    },
  }
}

/** Throws also `ERR_PASSWORD_CHANGE_REQUIRED`, `ERR_NO_PERMISSION`. */
async function loadCallSession(
  db: Db,
  { audience, beforePasswordChange, outsideHours }: Endpoint,
  claims: Claims,
  joinsNext: boolean,
): Promise<Session> {
  const session = await loadSession({ db }, claims, { outsideHours, joinsNext })
  if (session.mustChangePassword && !beforePasswordChange) throw new AppError('ERR_PASSWORD_CHANGE_REQUIRED')
  if (audience === 'admin' && session.viewer.profile !== 'admin') throw new AppError('ERR_NO_PERMISSION')
  return session
}

/** An empty parameter is one that was not given: clients write what nobody chose as `userId=`. */
function pickFilledParameters(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([, value]) => value !== ''))
}

/** A DELETE may come without a body, and what may be left out. */
function checked(check: (value: unknown) => unknown, mayLack: boolean, value: unknown): unknown {
  return mayLack && value === undefined ? undefined : check(value)
}

/** Calls that also take files read their own body, unless it came as JSON. */
function isJson(endpoint: Endpoint, request: Request): boolean {
  if (endpoint.bodyKind === undefined || endpoint.bodyKind === 'json') return true
  return isJsonType(request)
}

/** The schemas of the endpoint have just checked every part; TypeScript cannot follow a schema chosen by a key. */
function typed<K extends EndpointKey>(call: unknown): CallOf<K> {
  return call as CallOf<K>
}
