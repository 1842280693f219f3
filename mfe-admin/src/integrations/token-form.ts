// The form of a token. As whom it acts and until when is sent where it was touched: who or what it names may be gone.
import type { ApiScope, ApiToken, RequestBody } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { toCompanyDay } from '@balcao/ui/i18n'

/** Nobody's id. */
export const COMPANY = 0

export interface TokenFields {
  readonly name: string
  readonly scopes: readonly ApiScope[]
  /** `COMPANY`: as the company, with these queues. */
  readonly userId: number
  readonly queueIds: readonly number[]
  readonly perMinute: string
  /** A day, to its end; empty: no end. */
  readonly expiresAt: string
}

export function toFields(token: ApiToken | null): TokenFields {
  const { name = '', scopes = [], user = null, queueIds, perMinute = LIMITS.apiPerMinute, expiresAt } = token ?? {}
  return {
    ...{ name, scopes, userId: user?.id ?? COMPANY, queueIds: queueIds ?? [], perMinute: String(perMinute) },
    expiresAt: expiresAt ? toCompanyDay(expiresAt) : '',
  }
}

type TokenValues = Omit<TokenFields, 'perMinute'> & { readonly perMinute: number }

/** What is sent; of a change what differs from where it began. */
export function toBody(fields: TokenValues, base: Pick<TokenFields, 'userId' | 'queueIds' | 'expiresAt'> | null) {
  const { name, scopes, userId, queueIds, perMinute, expiresAt } = fields
  const isSameHolder = base !== null && base.userId === userId && base.queueIds.join() === queueIds.join()
  return {
    ...{ name, scopes: [...scopes], perMinute },
    ...(isSameHolder
      ? {}
      : userId === COMPANY
        ? { userId: null, queueIds: [...queueIds] }
        : { userId, queueIds: null }),
    ...(base?.expiresAt === expiresAt ? {} : { expiresAt: toEndOfDay(expiresAt) }),
  } satisfies RequestBody<'PUT /integrations/tokens/:id'>
}

function toEndOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}
