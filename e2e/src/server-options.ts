// The real server with the simulator's page mounted beside it: what the demo and the browser tests run.
import type { ServerOptions } from '@balcao/backend/app/server'

/** What the environment says, besides what the server itself reads in it. */
export function readServerOptions(env: NonNullable<ServerOptions['env']>): ServerOptions {
  const simulator = env.SIMULATOR_URL
  const frontendRoot = env.FRONTEND_ROOT
  return {
    env,
    ...(frontendRoot ? { frontendRoot } : {}),
    demoAccounts: JSON.parse(env.DEMO_ACCOUNTS ?? '[]'),
    mounts: simulator ? [{ prefix: '/simulator', fetch: request => passOn(request, simulator) }] : [],
  }
}

/** Streams through in both directions: the phones' page listens to an endless answer. */
function passOn(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  headers.delete('accept-encoding')
  return fetch(`${origin}${pathname}${search}`, {
    method: request.method,
    headers,
    body: request.body,
    redirect: 'manual',
  })
}
