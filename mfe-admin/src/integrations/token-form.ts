// The form of a token. As whom it acts and until when is sent where it was touched: who or what it names may be gone.
import type { ApiScope, ApiToken, RequestBody } from '@balcao/contract'
import { toInstant } from '@balcao/contract/calendar/zoned-time'
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
export function toBody(
  fields: TokenValues,
  base: Pick<TokenFields, 'userId' | 'queueIds' | 'expiresAt'> | null,
  timezone: string,
) {
  const { name, scopes, userId, queueIds, perMinute, expiresAt } = fields
  const isSameHolder = base !== null && base.userId === userId && base.queueIds.join() === queueIds.join()
  return {
    ...{ name, scopes: [...scopes], perMinute },
    ...(isSameHolder
      ? {}
      : userId === COMPANY
        ? { userId: null, queueIds: [...queueIds] }
        : { userId, queueIds: null }),
    ...(base?.expiresAt === expiresAt ? {} : { expiresAt: toEndOfDay(expiresAt, timezone) }),
  } satisfies RequestBody<'PUT /integrations/tokens/:id'>
}

/** The last second of the company's day, as the list shows it: the browser may stand elsewhere. */
function toEndOfDay(isoDay: string, timezone: string): string | null {
  if (isoDay === '') return null
  const [year = 0, month = 1, day = 1] = isoDay.split('-').map(Number)
  const minute = toInstant({ year, month, day, hour: 23, minute: 59 }, timezone, 'second')
  return new Date(minute.getTime() + 59_000).toISOString()
}
