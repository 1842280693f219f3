// How often the external API may be used, and what was answered before: for all processes together.
import { LIMITS } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { createFieldError, createRateLimitError } from '../../platform/http/errors.ts'
import { claimIdempotencyKey } from '../../platform/http/idempotency.ts'

/** Throws 429 `ERR_TOO_MANY_ATTEMPTS` with the seconds until the next minute. */
export async function countUse(db: Db): Promise<void> {
  const [row] = await getSql(db)<{ n: number; wait: number }[]>`
    insert into api_use (minute, n) values (date_trunc('minute', now()), 1)
    on conflict (minute) do update set n = api_use.n + 1
    returning n, ceil(60 - extract(second from now()))::int as wait`
  if ((row?.n ?? 0) > LIMITS.apiPerMinute) throw createRateLimitError(row?.wait ?? 60)
}

/**
 * The answer given before under a key; null: it is new, and `storeAnswer` must follow in this transaction. Throws `ERR_VALIDATION` when the
 * key stood for another request.
 */
export async function findPreviousAnswer(tx: Tx, key: string, fingerprint: string): Promise<unknown> {
  const known = await claimIdempotencyKey(tx, key, fingerprint)
  if (known === null) return null
  if (known.fingerprint === fingerprint && known.answer !== null) return known.answer
  throw createFieldError('Idempotency-Key', 'call.keyReused')
}
