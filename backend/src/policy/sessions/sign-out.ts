// Signing out: the device's family of tokens ends, and with it every access token of it.
import { inTransaction } from '../../platform/database/again.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { hashToken } from '../../platform/seal.ts'
import type { Parts } from '../kit/parts.ts'
import { endFamily } from './families.ts'
import { bearerOf, type Claims, clearCookies, refreshTokenOf, verifyAccess } from './tokens.ts'

/** Ends the session of the refresh cookie or, without one, of the access token. Never refuses: there may be nothing to end. */
export async function signOut(parts: Parts, request: Request, headers: Headers): Promise<void> {
  clearCookies(headers, parts.config)
  const refresh = refreshTokenOf(request)
  const kept = refresh === null ? null : await familyOf(parts.db, refresh)
  const access = bearerOf(request)
  const claims = access === undefined ? 'invalid' : await verifyAccess(parts.config, access)
  for (const ended of [kept, typeof claims === 'string' ? null : claims])
    if (ended) await inTransaction(parts.db, tx => endFamily(tx, ended))
  parts.closeEndedSockets()
}

async function familyOf(db: Db, refresh: string): Promise<Claims | null> {
  const [row] = await sqlOf(db)<Claims[]>`
    select user_id as "userId", family from refresh_token where hash = ${hashToken(refresh)}`
  return row ?? null
}

/** Ends every session of a person, on every device. On a locked row of the person, as the next one: see `families.ts`. */
export async function signOutEverywhere(tx: Tx, userId: number): Promise<void> {
  await sqlOf(tx)`update refresh_token set revoked_at = now() where user_id = ${userId} and revoked_at is null`
}

/** Ends the sessions of a person on all devices but one. */
export async function endOtherSessions(tx: Tx, userId: number, family: string): Promise<void> {
  await sqlOf(tx)`
    update refresh_token set revoked_at = now() where user_id = ${userId} and family <> ${family} and revoked_at is null`
}
