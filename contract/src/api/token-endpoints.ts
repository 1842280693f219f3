import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Id, Nullable, Type } from '../kit/schema.ts'
import { ApiScope, ApiToken, ApiTokenWithSecret } from './token.ts'

const fields = {
  scopes: Type.Optional(Type.Array(ApiScope, { maxItems: 20 })),
  userId: Type.Optional(Nullable(Type.Integer({ minimum: 1, description: 'as whom it acts; null: as the company' }))),
  queueIds: Type.Optional(
    Nullable(Type.Array(Id, { maxItems: 500, description: 'of the company; null beside a person' })),
  ),
  perMinute: Type.Optional(Type.Integer()),
  expiresAt: Type.Optional(Nullable(Type.String({ maxLength: 40, description: 'an instant ahead, or null: never' }))),
}
const Text = Type.String({ maxLength: 20_000 })

/** Tokens of other programs. Whoever calls is an administrator, and no program. */
export const apiTokenEndpoints = {
  'GET /integrations/tokens': {
    summary: 'Tokens of programs, by name',
    audience: 'admin',
    answer: Type.Array(ApiToken),
  },
  'POST /integrations/tokens': {
    summary: 'Add a token; it is told in this answer alone',
    audience: 'admin',
    errors: ['ERR_NO_USER_FOUND'],
    body: Type.Object({ name: Text, clientId: ClientId, ...fields }),
    answer: ApiTokenWithSecret,
    status: 201,
  },
  'PUT /integrations/tokens/:id': {
    summary: 'Change what a token opens, as whom it acts and how long; what is left out stays',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND', 'ERR_NO_USER_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      name: Type.Optional(Text),
      ...fields,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: ApiToken,
  },
  'DELETE /integrations/tokens/:id': {
    summary: 'Revoke a token, at once and everywhere',
    audience: 'admin',
    errors: ['ERR_NOT_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
