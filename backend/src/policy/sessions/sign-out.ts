// Signing out: the device's family of tokens ends, and with it every access token of it.

import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { hashToken } from '../../platform/seal.ts'
import type { Parts } from '../kit/parts.ts'
import { revokeFamily } from './families.ts'
import { type Claims, clearCookies, readBearerToken, readRefreshToken, verifyAccess } from './tokens.ts'

/** Ends the session of the refresh cookie and that of the access token. Never refuses: there may be nothing to end. */
export async function signOut(parts: Parts, request: Request, headers: Headers): Promise<void> {
  clearCookies(headers, parts.config)
  clearCache(headers)
  const access = readBearerToken(request)
  const claims = access === undefined ? 'invalid' : await verifyAccess(parts.config, access)
  if (typeof claims !== 'string') await runInTransaction(parts.db, tx => revokeFamily(tx, claims))
  await endCookieSession(parts, request)
}

/** Files stay in a browser for a day: nobody opens them by their address who is not let in. */
export function clearCache(headers: Headers): void {
  headers.set('clear-site-data', '"cache"')
}

/** Ends the session of the refresh cookie, if one came along; whose it was. */
export async function endCookieSession(parts: Parts, request: Request): Promise<number | null> {
  const refresh = readRefreshToken(request)
  const family = refresh === null ? null : await findFamily(parts.db, refresh)
  if (family) await runInTransaction(parts.db, tx => revokeFamily(tx, family))
  parts.closeEndedSockets()
  return family?.userId ?? null
}

async function findFamily(db: Db, refresh: string): Promise<Claims | null> {
  const [row] = await getSql(db)<Claims[]>`
    select user_id as "userId", family from refresh_token where hash = ${hashToken(refresh)}`
  return row ?? null
}

/** Ends every session of a person, on every device. On a locked row of the person, as the next one: see `families.ts`. */
export async function signOutEverywhere(tx: Tx, userId: number): Promise<void> {
  await getSql(tx)`update refresh_token set revoked_at = now() where user_id = ${userId} and revoked_at is null`
}

/** Ends the sessions of a person on all devices but one. */
export async function revokeOtherSessions(tx: Tx, userId: number, family: string): Promise<void> {
  await getSql(tx)`
    update refresh_token set revoked_at = now() where user_id = ${userId} and family <> ${family} and revoked_at is null`
}
