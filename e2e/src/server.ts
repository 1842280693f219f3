// The real server with the simulator's page mounted beside it: what the demo and the browser tests run.
import { startServer } from '@balcao/backend/app/server'
import { formatFirstSignIn } from '@balcao/backend/desk/users/first-owner'
import { exitWithMessage } from '@balcao/backend/platform/starting'

const simulator = process.env.SIMULATOR_URL
const frontendRoot = process.env.FRONTEND_ROOT
const server = await exitWithMessage(() =>
  startServer({
    ...(frontendRoot ? { frontendRoot } : {}),
    demoAccounts: JSON.parse(process.env.DEMO_ACCOUNTS ?? '[]'),
    mounts: simulator ? [{ prefix: '/simulator', fetch: request => passOn(request, simulator) }] : [],
  }),
)
const told = formatFirstSignIn(server.firstOwner)
if (told) console.log(told)
// The local address: PUBLIC_URL may be another program's, which passes on to this one.
console.log(`READY http://127.0.0.1:${server.port}`)

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
