// Tokens of other programs: what each opens, and as whom it acts (docs/api.md).
import { Id, Instant, Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'
import { UserBrief } from '../users/user.ts'

/** What a token opens; each call that programs may use names one of them. */
export const API_SCOPES = ['readTickets', 'readMessages', 'send', 'serve', 'contacts', 'webhooks', 'reports'] as const
export const ApiScope = StringEnum(API_SCOPES)
export type ApiScope = Static<typeof ApiScope>

/** Why a token opens nothing any more: its day came · its person is gone or inactive · all its queues are gone. */
export const API_TOKEN_ENDS = ['expired', 'person', 'queues'] as const

/**
 * A token by its name. It acts as a person, with the rights that person has at each call, or (`user` null) as the company, which sees what a
 * manager of `queueIds` sees. The token itself is told by the call that makes it alone.
 */
export const ApiToken = Type.Object({
  id: Id,
  name: Type.String(),
  hint: Type.String({ description: 'its last four characters' }),
  scopes: Type.Array(ApiScope),
  user: Nullable(UserBrief),
  queueIds: Nullable(Type.Array(Id)),
  perMinute: Type.Integer({ description: 'calls within a minute; what is more is refused' }),
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
  ended: Nullable(StringEnum(API_TOKEN_ENDS)),
  version: Type.Integer(),
})
export type ApiToken = Static<typeof ApiToken>

export const ApiTokenWithSecret = Type.Object({ ...ApiToken.properties, token: Type.String() })
