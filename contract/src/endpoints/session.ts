import { User } from '../entities/user.ts'
import { Nullable, Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'

/** Answer of a sign-in. `token` is the access token (15 minutes); the refresh token is a cookie. `wireSecret` opens e-mails on the wire. */
export const SignedIn = Type.Object({ token: Type.String(), user: User, wireSecret: Type.String() })

export const sessionEndpoints = {
  'POST /auth/login': {
    summary: 'Sign in; e-mail and password in the wire format or plain',
    audience: 'public',
    errors: [
      'ERR_INVALID_CREDENTIALS',
      'ERR_USER_NO_ACTIVE',
      'ERR_INVALID_WORKING_TIME',
      'ERR_SYSTEM_BLOCKED',
      'ERR_TOO_MANY_ATTEMPTS',
    ],
    body: Type.Object({ email: Type.String({ maxLength: 1000 }), password: Type.String({ maxLength: 1000 }) }),
    answer: SignedIn,
  },
  'POST /auth/refresh_token': {
    summary: 'New access token for the refresh cookie, which is rotated',
    audience: 'public',
    errors: ['ERR_SESSION_EXPIRED', 'ERR_USER_NO_ACTIVE', 'ERR_INVALID_WORKING_TIME', 'ERR_SYSTEM_BLOCKED'],
    answer: SignedIn,
  },
  'POST /auth/socket': {
    summary: 'A token for one socket connection within 60 s',
    answer: Type.Object({ token: Type.String() }),
  },
  'DELETE /auth/logout': { summary: 'End this session', audience: 'public', status: 204 },
  'GET /system': {
    summary: 'What the sign-in page must know: product name, version, whether the system is blocked',
    audience: 'public',
    answer: Type.Object({
      product: Type.String(),
      company: Type.String(),
      version: Type.String(),
      blocked: Type.Boolean(),
      userCreation: Type.Boolean(),
      demo: Type.Boolean(),
      /** Whether there is an 'Faturas' item, for administrators. */
      invoices: Type.Boolean(),
      supportUrl: Nullable(Type.String()),
      financeUrl: Nullable(Type.String()),
      demoAccounts: Type.Array(Type.Object({ name: Type.String(), email: Type.String(), password: Type.String() })),
    }),
  },
} as const satisfies Record<string, Endpoint>
