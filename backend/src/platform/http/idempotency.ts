// What is asked again under the same key: a request whose answer was lost makes nothing twice.
import type { Tx } from '../database/client.ts'
import { getSql } from '../database/raw.ts'

/** What stood under a key: what was asked, as a hash, and what was answered. */
interface StoredAnswer {
  readonly fingerprint: string
  readonly answer: unknown
}

/**
 * Takes a key for a request. Null: it is new, and `storeAnswer` must follow in this transaction; another request under the same key
 * waits until it has ended. Keys are kept for 24 hours.
 */
export async function claimIdempotencyKey(tx: Tx, key: string, fingerprint: string): Promise<StoredAnswer | null> {
  const sql = getSql(tx)
  const taken = await sql`
    insert into api_request (key, fingerprint) values (${key}, ${fingerprint}) on conflict do nothing returning 1`
  if (taken.length > 0) return null
  const [known] = await sql<StoredAnswer[]>`select fingerprint, answer from api_request where key = ${key}`
  return known ?? { fingerprint: '', answer: null }
}

/** Keeps what was answered under a key. */
export async function storeAnswer(tx: Tx, key: string, answer: unknown): Promise<void> {
  await getSql(tx)`update api_request set answer = ${JSON.stringify(answer)}::text::jsonb where key = ${key}`
}
