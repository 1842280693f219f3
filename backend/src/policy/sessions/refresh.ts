// Rotation of refresh tokens: each is good once. One that comes back was stolen or its thief was faster: the family ends.

import type { ResponseBody } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import { hashToken } from '../../platform/seal.ts'
import type { Parts } from '../kit/parts.ts'
import { readSettings } from '../settings/read.ts'
import { revokeFamily } from './families.ts'
import { buildSessionAnswer, checkCanWork, openSession, type SignInRow } from './sign-in.ts'
import { clearCookies, REFRESH_SECONDS, readRefreshToken } from './tokens.ts'

interface TokenRow extends Omit<SignInRow, 'hash'> {
  token_id: string
  family: string
  terminal: string | null
  used_at: string | null
  attempt: string | null
  dead: boolean
}

interface Renewal {
  readonly arrivedAt: number
  readonly attempt: string | null
}

type Redeemed = TokenRow & { readonly isReused: boolean }

/**
 * New tokens for the refresh cookie (decisions §2). Throws 401 `ERR_SESSION_EXPIRED`, `ERR_USER_NO_ACTIVE`, `ERR_INVALID_WORKING_TIME`, 403 `ERR_SYSTEM_BLOCKED`;
 * a reused token also revokes its family.
 * Two tabs that ask at the same moment are no theft: a request that had arrived before the token was used gets its own successor. Neither
 * is the same attempt made again, by who got no answer to it.
 * A terminal's token stays as it is, for 30 days from each use (decisions-2 §23).
 */
export async function refreshSession(
  parts: Parts,
  request: Request,
  renewal: Renewal,
  headers: Headers,
): Promise<ResponseBody<'POST /auth/refresh_token'>> {
  if (parts.license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const token = readRefreshToken(request)
  const found = token === null ? 'unknown' : await redeem(parts, token, renewal)
  // The cookie stays, so that each page of this browser hears the reason.
  if (found === 'inactive') throw new AppError('ERR_USER_NO_ACTIVE')
  // Here too: it is worth nothing, and by now the browser may have the cookies of who signed in meanwhile.
  if (found === 'unknown') throw new AppError('ERR_SESSION_EXPIRED')
  const claims = { userId: found.id, family: found.family }
  if (found.isReused) {
    await runInTransaction(parts.db, tx => revokeFamily(tx, claims))
    parts.closeEndedSockets()
    clearCookies(headers, parts.config)
    throw new AppError('ERR_SESSION_EXPIRED')
  }
  checkCanWork(found, await readSettings(parts.db))
  return found.terminal === null ? openSession(parts, claims, claims, headers) : buildSessionAnswer(parts, claims)
}

async function redeem(
  parts: Parts,
  token: string,
  { arrivedAt, attempt }: Renewal,
): Promise<Redeemed | 'unknown' | 'inactive'> {
  return runInTransaction(parts.db, async tx => {
    const sql = getSql(tx)
    const [row] = await sql<TokenRow[]>`
      select r.id as token_id, r.family, r.terminal, r.used_at, r.attempt, (r.revoked_at is not null or r.expires_at < now()) as dead,
        u.id, u.active, u.profile, u.start_time as "startTime", u.end_time as "endTime", u.weekdays, u.saturday, u.sunday,
        u.holidays
      from refresh_token r join "user" u on u.id = r.user_id and u.deleted_at is null
      where r.hash = ${hashToken(token)} for update of r`
    if (!row) return 'unknown'
    // Deactivation revoked the token. Only who once got it from here has it, so the reason is no stranger's.
    if (!row.active) return 'inactive'
    if (row.dead) return 'unknown'
    if (row.terminal !== null) {
      await sql`update refresh_token
        set used_at = clock_timestamp(), expires_at = now() + ${REFRESH_SECONDS}::int * interval '1 second'
        where id = ${row.token_id}`
      return { ...row, isReused: false }
    }
    if (row.used_at === null) {
      await sql`update refresh_token set used_at = clock_timestamp(), attempt = ${attempt} where id = ${row.token_id}`
      return { ...row, isReused: false }
    }
    const isSame = attempt !== null && attempt === row.attempt
    return { ...row, isReused: !isSame && arrivedAt > Date.parse(row.used_at) }
  })
}
