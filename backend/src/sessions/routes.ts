import { type Route, serve } from '../http/serve.ts'
import { hasInvoices } from '../invoices/invoices.ts'
import type { Parts } from '../parts.ts'
import { readSettings } from '../settings/read.ts'
import { refreshSession } from './refresh.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { socketToken } from './socket-token.ts'
import { devicesOf, endDevice, newTerminal } from './terminals.ts'

export function sessionRoutes(parts: Parts): Route[] {
  const { config, db } = parts
  return [
    serve('POST /auth/login', call => signIn(parts, call.body, call)),
    serve('POST /auth/refresh_token', ({ request, arrivedAt, headers }) =>
      refreshSession(parts, request, arrivedAt, headers),
    ),
    serve('POST /auth/terminal', ({ session, body }) => newTerminal(parts, session, body.name)),
    serve('GET /auth/devices', ({ session }) => devicesOf(db, session)),
    serve('DELETE /auth/devices/:id', ({ session, params }) => endDevice(parts, session, params.id)),
    serve('POST /auth/socket', async ({ session }) => ({ token: await socketToken(parts, session) })),
    serve('DELETE /auth/logout', ({ request, headers }) => signOut(parts, request, headers)),
    serve('GET /system', async () => ({
      product: config.product,
      company: config.company,
      version: config.version,
      blocked: parts.license.blocked(),
      userCreation: (await readSettings(db)).userCreation,
      demo: parts.demoAccounts.length > 0,
      invoices: hasInvoices(config),
      supportUrl: config.supportUrl,
      financeUrl: config.financeUrl,
      demoAccounts: parts.demoAccounts.map(account => ({ ...account })),
    })),
  ]
}
