// Guesses at passwords, counted for all processes together, and before they are checked: however many come at once, only those
// that are free are checked (decisions §2).
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toNetworkAddress } from '../../platform/http/addresses.ts'
import { createRateLimitError } from '../../platform/http/errors.ts'
import { limitConcurrency } from './concurrency.ts'

/** So many failures are free; each further one doubles the pause, from one minute up to fifteen. */
const FREE = { account: 5, address: 30 } as const
const FORGET_MINUTES = 15

/** What failures are counted for. `own`: one success ends the count. */
export interface AttemptLimit {
  readonly key: string
  readonly free: number
  readonly own: boolean
}

/** For one account, one device, one person: what a success proves. */
export function createAccountLimit(key: string): AttemptLimit {
  return { key, free: FREE.account, own: true }
}

/** For everybody at an address. A success leaves the count, or one own account would free all others. */
export function createAddressLimit(address: string): AttemptLimit {
  return { key: `address:${toNetworkAddress(address)}`, free: FREE.address, own: false }
}

/**
 * Checks a guess, only few at once in this process, and counts it before: a right one is given back. Throws 429
 * `ERR_TOO_MANY_ATTEMPTS` with `Retry-After` while one of the limits makes wait.
 */
export async function checkGuess(
  db: Db,
  limits: readonly AttemptLimit[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  await checkLimits(db, limits)
  return limitConcurrency(async () => {
    await countAttempt(db, limits)
    const right = await isRight()
    if (right) for (const limit of limits) await giveBack(db, limit)
    return right
  })
}

/** Throws 429 `ERR_TOO_MANY_ATTEMPTS` with `Retry-After` while one of the limits makes wait. */
async function checkLimits(db: Db, limits: readonly AttemptLimit[]): Promise<void> {
  const [row] = await getSql(db)<{ wait: number | null }[]>`
    select max(extract(epoch from f.until - now()))::float8 as wait
    from unnest(${limits.map(limit => limit.key)}::text[], ${limits.map(limit => limit.free)}::int[]) as l(key, free)
      join sign_in_failure f on f.key = l.key and f.count >= l.free and f.until > now()`
  const wait = row?.wait ?? null
  if (wait !== null) throw createRateLimitError(wait)
}

/** Counts a failure for each limit; throws as `checkLimits` and counts nothing where one of them makes wait. */
export async function countAttempt(db: Db, limits: readonly AttemptLimit[]): Promise<void> {
  for (const [at, limit] of limits.entries()) {
    if (await takeOne(db, limit)) continue
    for (const taken of limits.slice(0, at)) await putBack(db, taken)
    await checkLimits(db, limits)
    // Over since.
    throw createRateLimitError(1)
  }
}

/** In one statement, so that of many who come at once only the free ones get through. */
async function takeOne(db: Db, { key, free }: AttemptLimit): Promise<boolean> {
  const rows = await getSql(db)`
    insert into sign_in_failure as f (key, count, until)
    values (${key}, 1, now() + ${FORGET_MINUTES}::int * interval '1 minute')
    on conflict (key) do update set
      count = case when f.until < now() - interval '15 minutes' then 1 else f.count + 1 end,
      until = case when f.until < now() - interval '15 minutes' or f.count + 1 < ${free}::int
        then now() + ${FORGET_MINUTES}::int * interval '1 minute'
        else now() + least(15, power(2, least(f.count + 1 - ${free}::int, 8))) * interval '1 minute' end
    where f.count < ${free}::int or f.until <= now()
    returning 1`
  return rows.length > 0
}

async function giveBack(db: Db, limit: AttemptLimit): Promise<void> {
  if (limit.own) await getSql(db)`delete from sign_in_failure where key = ${limit.key}`
  else await putBack(db, limit)
}

async function putBack(db: Db, { key, free }: AttemptLimit): Promise<void> {
  await getSql(db)`
    update sign_in_failure set count = greatest(0, count - 1),
      until = case when count - 1 < ${free}::int then now() + ${FORGET_MINUTES}::int * interval '1 minute' else until end
    where key = ${key}`
}
