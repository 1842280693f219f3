// Access tokens whose signature was proven once: from then on they are asked only whether they are still in time.
import { decodeJwt } from 'jose'
import type { Config } from '../../platform/config.ts'
import { LatestEntries } from '../../platform/latest-entries.ts'
import { type Claims, type VerificationResult, verifyAccess } from './tokens.ts'

const MOST = 2000
/** By what they were signed with; `until` in seconds since 1970. */
const proven = new WeakMap<Config, LatestEntries<{ readonly claims: Claims; readonly until: number }>>()

/** Who an access token belongs to. */
export async function verifyAccessOnce(config: Config, token: string): Promise<VerificationResult> {
  const known = proven.get(config) ?? new LatestEntries(MOST)
  proven.set(config, known)
  const before = known.get(token)
  if (before) return before.until > Math.floor(Date.now() / 1000) ? before.claims : 'expired'
  const claims = await verifyAccess(config, token)
  if (typeof claims !== 'string') known.set(token, { claims, until: decodeJwt(token).exp ?? 0 })
  return claims
}
