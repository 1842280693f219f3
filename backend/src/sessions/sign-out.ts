// Signing out: the device's family of tokens ends, and with it every access token of it.
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import type { Parts } from '../parts.ts'
import { hashToken } from '../seal.ts'
import { bearerOf, clearCookies, refreshTokenOf, verifyAccess } from './tokens.ts'

/** Ends the session of the refresh cookie or, without one, of the access token. Never refuses: there may be nothing to end. */
export async function signOut(parts: Parts, request: Request, headers: Headers): Promise<void> {
  clearCookies(headers, parts.config)
  const sql = sqlOf(parts.db)
  const refresh = refreshTokenOf(request)
  if (refresh !== null) {
    await sql`update refresh_token set revoked_at = now()
      where revoked_at is null and family = (select family from refresh_token where hash = ${hashToken(refresh)})`
    parts.closeEndedSockets()
  }
  const access = bearerOf(request)
  if (access === undefined) return
  const claims = await verifyAccess(parts.config, access)
  if (typeof claims === 'string') return
  await sql`update refresh_token set revoked_at = now()
    where revoked_at is null and family = ${claims.family} and user_id = ${claims.userId}`
  parts.closeEndedSockets()
}

/** Ends every session of a person, on every device. */
export async function signOutEverywhere(tx: Tx, userId: number): Promise<void> {
  await sqlOf(tx)`update refresh_token set revoked_at = now() where user_id = ${userId} and revoked_at is null`
}

/** Ends the sessions of a person on all devices but one. */
export async function endOtherSessions(tx: Tx, userId: number, family: string): Promise<void> {
  await sqlOf(tx)`
    update refresh_token set revoked_at = now() where user_id = ${userId} and family <> ${family} and revoked_at is null`
}
