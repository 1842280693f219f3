import type { Endpoint } from '../kit/endpoint.ts'
import { Instant, Nullable, type Static, Type } from '../kit/schema.ts'
import { User } from '../users/user.ts'

/** Answer of a sign-in. `token` is the access token (15 minutes); the refresh token is a cookie. `wireSecret` opens e-mails on the wire. */
export const SignedIn = Type.Object({ token: Type.String(), user: User, wireSecret: Type.String() })

/** Where somebody is signed in. `terminal` is a terminal's name, null in a browser; `current`: it is the one that asks. */
export const Device = Type.Object({
  id: Type.String(),
  terminal: Nullable(Type.String()),
  since: Instant,
  lastAt: Instant,
  current: Type.Boolean(),
})
export type Device = Static<typeof Device>

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
    body: Type.Optional(
      Type.Object({
        attempt: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'a name of one’s own, given again when no answer came: the cookie may have been used by then',
          }),
        ),
      }),
    ),
    answer: SignedIn,
  },
  'POST /auth/terminal': {
    summary: 'A token of its own for a terminal or a program, which this answer alone shows',
    description:
      'It is given as the refresh cookie, is not rotated, is good for 30 days from its last use, and is ended among one’s devices. One has at most 20.',
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
    errors: ['ERR_TOO_MANY_TERMINALS'],
    answer: Type.Object({ id: Type.String(), token: Type.String() }),
    status: 201,
  },
  'GET /auth/devices': {
    summary: 'Where one is signed in, in browsers and terminals, the last used first, at most 100',
    answer: Type.Array(Device),
  },
  'DELETE /auth/devices/:id': {
    summary: 'Sign out of one of one’s devices',
    errors: ['ERR_NOT_FOUND'],
    status: 204,
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
