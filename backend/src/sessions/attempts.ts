// Failed sign-ins, counted per account and per address for all processes together (decisions §2).
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'

/** So many failures are free; each further one doubles the pause, from one minute up to fifteen. */
const FREE = { account: 5, address: 30 } as const
const FORGET_MINUTES = 15

export interface Attempt {
  readonly account: string
  readonly address: string
}

/** Throws 429 `ERR_TOO_MANY_ATTEMPTS` with `Retry-After` while an account or an address has to wait. */
export async function checkAttempts(db: Db, attempt: Attempt): Promise<void> {
  const [row] = await sqlOf(db)<{ wait: number | null }[]>`
    select max(extract(epoch from until - now()))::float8 as wait from sign_in_failure
    where until > now() and ((key = ${accountKey(attempt)} and count >= ${FREE.account})
      or (key = ${addressKey(attempt)} and count >= ${FREE.address}))`
  const wait = row?.wait ?? null
  if (wait !== null)
    throw new AppError('ERR_TOO_MANY_ATTEMPTS', undefined, { 'retry-after': String(Math.max(1, Math.ceil(wait))) })
}

/** Counts a failure for the account and for the address. */
export async function countFailure(db: Db, attempt: Attempt): Promise<void> {
  await fail(db, accountKey(attempt), FREE.account)
  await fail(db, addressKey(attempt), FREE.address)
}

/** A right password ends the account's count; the address's stays, or one own account would free all others. */
export async function forgetFailures(db: Db, attempt: Attempt): Promise<void> {
  await sqlOf(db)`delete from sign_in_failure where key = ${accountKey(attempt)}`
}

async function fail(db: Db, key: string, free: number): Promise<void> {
  await sqlOf(db)`
    insert into sign_in_failure as f (key, count, until)
    values (${key}, 1, now() + ${FORGET_MINUTES}::int * interval '1 minute')
    on conflict (key) do update set
      count = case when f.until < now() - interval '15 minutes' then 1 else f.count + 1 end,
      until = case when f.count + 1 < ${free}::int then now() + ${FORGET_MINUTES}::int * interval '1 minute'
        else now() + least(15, power(2, least(f.count + 1 - ${free}::int, 8))) * interval '1 minute' end`
}

function accountKey({ account }: Attempt): string {
  return `account:${account}`
}

function addressKey({ address }: Attempt): string {
  return `address:${address}`
}
