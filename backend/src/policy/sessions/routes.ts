import type { Parts } from '../kit/parts.ts'
import { type Route, serve } from '../kit/serve.ts'
import { refreshSession } from './refresh.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { createSocketToken } from './socket-token.ts'
import { createTerminal, listDevices, revokeDevice } from './terminals.ts'

export function sessionRoutes(parts: Parts): Route[] {
  const { db } = parts
  return [
    serve('POST /auth/login', call => signIn(parts, call.body, call)),
    serve('POST /auth/refresh_token', ({ request, arrivedAt, body, headers }) =>
      refreshSession(parts, request, { arrivedAt, attempt: body?.attempt ?? null }, headers),
    ),
    serve('POST /auth/terminal', ({ session, body }) => createTerminal(parts, session, body.name)),
    serve('GET /auth/devices', ({ session }) => listDevices(db, session)),
    serve('DELETE /auth/devices/:id', ({ session, params }) => revokeDevice(parts, session, params.id)),
    serve('POST /auth/socket', async ({ session }) => ({ token: await createSocketToken(parts, session) })),
    serve('DELETE /auth/logout', ({ request, headers }) => signOut(parts, request, headers)),
  ]
}
