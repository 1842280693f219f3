import { Elysia } from 'elysia'
import { addConnectionMetrics } from '../desk/connections/metrics.ts'
import { addDeskMetrics } from '../insight/figures/metrics.ts'
import { isForwardedByStranger, resolveClientAddress } from '../platform/http/addresses.ts'
import { renderBrandCss } from '../platform/http/brand.ts'
import { createRefusalResponse, toErrorResponse } from '../platform/http/errors.ts'
import { type Frontend, isPageRequest, serveFrontend } from '../platform/http/frontend.ts'
import { createSecureHeaders } from '../platform/http/headers.ts'
import { buildWebManifest } from '../platform/http/manifest.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import { findMount, type Mount } from '../platform/http/mounts.ts'
import { buildOpenapiDocument } from '../platform/http/openapi.ts'
import { renderOpenapiPage } from '../platform/http/openapi-page.ts'
import { isOperatorRequest, type OperatorRequest } from '../platform/http/operators.ts'
import { createTurns } from '../platform/http/turns.ts'
import type { Parts } from '../policy/kit/parts.ts'
import type { Arrival, Route } from '../policy/kit/serve.ts'
import { checkReadiness } from './readiness.ts'
import { featureRoutes } from './routes.ts'
import type { SocketUpgrade } from './socket/socket.ts'

export interface AppOptions {
  /** The folder that holds shell/ and mfe-*. */
  readonly frontendRoot: string
  readonly mounts?: readonly Mount[]
  readonly socket?: SocketUpgrade
}

export interface App {
  readonly elysia: Elysia
  readonly metrics: Metrics
  /** Gives an answer the headers of all answers. */
  readonly safe: (answer: Response) => Response
  /** Asked to end: /ready answers 503, and who is answered is told not to come over the same connection again. */
  draining: boolean
  /** Ending: new sockets are refused. */
  closing: boolean
}

/** Bodies are limited by our own readers, which answer in JSON; Bun's limit would cut the connection without a word. */
const BUN_BODY_LIMIT = 2 ** 40

/** Seconds of silence after which a socket is asked, and closed without an answer: who lost the line is not shown as present. */
const SOCKET_IDLE = 20

/** Puts the server together without starting it. */
export function createApp(parts: Parts, options: AppOptions): App {
  const { metrics } = parts
  addConnectionMetrics(metrics.registry, parts.live)
  addDeskMetrics(metrics.registry, parts.live)
  const frontend = serveFrontend(options.frontendRoot)
  const openapi = describeOnce(parts.config.version)
  const routes = featureRoutes(parts)
  const elysia = new Elysia({
    // In development Bun shows who asked the code that failed.
    serve: { maxRequestBodySize: BUN_BODY_LIMIT, idleTimeout: 60, development: false },
    websocket: {
      idleTimeout: SOCKET_IDLE,
      backpressureLimit: 1024 * 1024,
      closeOnBackpressureLimit: true,
      sendPings: true,
    },
  })
  const safe = createSecureHeaders(parts.config.publicUrl)
  const app: App = { elysia, metrics, safe, draining: false, closing: false }
  const report = (error: unknown, route: string) => {
    metrics.failures.inc()
    parts.log.error({ err: error, route }, 'a request failed')
  }
  const takeTurn = createTurns()
  let toldOfProxy = false
  const addressOf = (request: Request, direct: string | undefined): string => {
    const { trustedProxies } = parts.config
    if (!toldOfProxy && isForwardedByStranger(request.headers, direct, trustedProxies)) {
      toldOfProxy = true
      parts.log.warn(
        { address: direct },
        'requests name X-Forwarded-For, and TRUSTED_PROXIES does not name who sends them',
      )
    }
    return resolveClientAddress(request.headers, direct, trustedProxies)
  }
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    elysia.route(
      route.method,
      route.path,
      async ({ request, params, server }) => {
        if (isPageRequest(request) && !route.path.startsWith('/media/')) return safe(await frontend.page(request))
        const started = performance.now()
        const arrival = { request, params, address: addressOf(request, server?.requestIP(request)?.address) }
        await takeTurn()
        const answer = await attempt(route, arrival, parts, error => report(error, name))
        metrics.request(name, answer.status, (performance.now() - started) / 1000)
        return goodbye(safe(answer), app)
      },
      { parse: 'none' },
    )
  }
  options.socket?.mount(app)
  elysia
    .onError(({ error, request }) => safe(toErrorResponse(error, request, cause => report(cause, 'unrouted'))))
    .all(
      '/*',
      ({ request, server }) =>
        // Not Elysia's own `.ws`: for each socket it keeps the request's whole context and eight functions (0130).
        options.socket && asksForSocket(request)
          ? options.socket.upgrade(request, server)
          : fallback(
              { request, direct: server?.requestIP(request)?.address },
              { app, parts, frontend, openapi, mounts: options.mounts ?? [], routes },
            ).catch(error => safe(toErrorResponse(error, request, cause => report(cause, 'unrouted')))),
      { parse: 'none' },
    )
  return app
}

/** A proxy that keeps connections must not send a call over one that is about to close. */
function goodbye(answer: Response, { draining }: App): Response {
  if (draining) answer.headers.set('connection', 'close')
  return answer
}

function asksForSocket(request: Request): boolean {
  return request.headers.get('upgrade')?.toLowerCase() === 'websocket' && new URL(request.url).pathname === '/socket'
}

async function attempt(
  route: Route,
  arrival: Arrival,
  parts: Parts,
  report: (error: unknown) => void,
): Promise<Response> {
  try {
    return await route.answer(arrival, parts)
  } catch (error) {
    return toErrorResponse(error, arrival.request, report)
  }
}

/** What there is besides the routes. */
interface Surroundings {
  readonly app: App
  readonly parts: Parts
  readonly frontend: Frontend
  readonly openapi: OpenapiTexts
  readonly mounts: readonly Mount[]
  readonly routes: readonly Route[]
}

interface OpenapiTexts {
  readonly document: () => Blob
  readonly programs: () => Blob
  readonly page: () => Blob
}

/** The description of the API. Each form is made once: it takes long, and anybody may ask for it as often as he likes. */
function describeOnce(version: string): OpenapiTexts {
  let [document, programs, page]: (Blob | undefined)[] = []
  return {
    document: () => (document ??= new Blob([JSON.stringify(buildOpenapiDocument(version))])),
    programs: () => (programs ??= new Blob([JSON.stringify(buildOpenapiDocument(version, 'programs'))])),
    page: () => (page ??= new Blob([renderOpenapiPage(version)])),
  }
}

async function fallback(asked: OperatorRequest, around: Surroundings): Promise<Response> {
  const { app, frontend, mounts, routes } = around
  const { request } = asked
  const { safe } = app
  const { pathname } = new URL(request.url)
  const mount = findMount(mounts, pathname)
  if (mount) return mount.fetch(request)
  if (request.method === 'GET' || request.method === 'HEAD') {
    const answer = await operations(asked, pathname, around)
    if (answer) return goodbye(safe(answer), app)
    const file = frontend.file(request, pathname)
    if (file && pathname !== '/index.html') return goodbye(safe(file), app)
    if (pathname === '/' || (isPageRequest(request) && !/^\/(mfe|media|assets|webhooks)\//.test(pathname)))
      return goodbye(safe(await frontend.page(request)), app)
  }
  const allowed = listMethods(routes, pathname)
  if (allowed.length > 0)
    return safe(
      createRefusalResponse('ERR_BAD_REQUEST', request, { headers: { allow: allowed.join(', ') }, status: 405 }),
    )
  return safe(createRefusalResponse('ERR_NOT_FOUND', request))
}

/** What operators and tools ask for. */
async function operations(
  request: OperatorRequest,
  pathname: string,
  { app: { metrics, draining }, parts, openapi }: Surroundings,
): Promise<Response | null> {
  switch (pathname) {
    case '/health':
      return Response.json({ status: 'ok', version: parts.config.version }, { headers: NO_STORE })
    case '/ready': {
      const readiness = await checkReadiness(parts, draining)
      const answer = { status: readiness.ready ? 200 : 503, headers: NO_STORE }
      if (isOperatorRequest(parts.config, request)) return Response.json(readiness, answer)
      return new Response(readiness.ready ? 'ready' : 'unready', answer)
    }
    case '/metrics':
      if (!isOperatorRequest(parts.config, request)) return createRefusalResponse('ERR_NO_PERMISSION', request.request)
      return new Response(await metrics.registry.metrics(), {
        headers: { 'content-type': metrics.registry.contentType, ...NO_STORE },
      })
    case '/brand.css':
      return new Response(renderBrandCss(parts.config.brand), {
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
      })
    case '/manifest.webmanifest':
      return Response.json(buildWebManifest(parts.config), {
        headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
      })
    case '/openapi.json':
      return new Response(openapi.document(), { headers: { 'content-type': 'application/json' } })
    case '/openapi-programs.json':
      return new Response(openapi.programs(), { headers: { 'content-type': 'application/json' } })
    case '/openapi':
      return new Response(openapi.page(), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        },
      })
    default:
      return null
  }
}

const NO_STORE = { 'cache-control': 'no-store' }

function listMethods(routes: readonly Route[], pathname: string): string[] {
  const parts = pathname.replace(/\/$/, '').split('/')
  const fits = (path: string) => {
    const names = path.replace(/\/$/, '').split('/')
    return names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at])
  }
  return routes.filter(({ path }) => fits(path)).map(({ method }) => method)
}
