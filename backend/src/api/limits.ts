// How often the external API may be used, and what was answered before: for all processes together.
import { LIMITS } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { tooManyAttempts, wrongField } from '../http/errors.ts'

/** Throws 429 `ERR_TOO_MANY_ATTEMPTS` with the seconds until the next minute. */
export async function countUse(db: Db): Promise<void> {
  const [row] = await sqlOf(db)<{ n: number; wait: number }[]>`
    insert into api_use (minute, n) values (date_trunc('minute', now()), 1)
    on conflict (minute) do update set n = api_use.n + 1
    returning n, ceil(60 - extract(second from now()))::int as wait`
  if ((row?.n ?? 0) > LIMITS.apiPerMinute) throw tooManyAttempts(row?.wait ?? 60)
}

/**
 * Takes a key for a request. Null: it is new, and `keepAnswer` must follow in this transaction; another request under the same key
 * waits until it has ended. Otherwise the answer given before. Throws `ERR_VALIDATION` when the key stood for another request.
 */
export async function answeredBefore(tx: Tx, key: string, fingerprint: string): Promise<unknown> {
  const sql = sqlOf(tx)
  const taken = await sql`
    insert into api_request (key, fingerprint) values (${key}, ${fingerprint}) on conflict do nothing returning 1`
  if (taken.length > 0) return null
  const [known] = await sql<{ fingerprint: string; answer: unknown }[]>`
    select fingerprint, answer from api_request where key = ${key}`
  if (known?.fingerprint === fingerprint && known.answer !== null) return known.answer
  throw wrongField('Idempotency-Key', 'Esta chave já foi usada com outro conteúdo')
}

/** Keeps what was answered under a key. */
export async function keepAnswer(tx: Tx, key: string, answer: unknown): Promise<void> {
  await sqlOf(tx)`update api_request set answer = ${JSON.stringify(answer)}::text::jsonb where key = ${key}`
}
