// The token of the external API: only its hash is stored, so it can be shown once, when it is made (decisions §5 `userApiToken`).
import { createHash, timingSafeEqual } from 'node:crypto'
import { sqlOf } from '../database/raw.ts'
import { placeOf } from '../http/addresses.ts'
import { AppError } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { ownLimit, take } from '../sessions/attempts.ts'
import { opaqueToken } from '../sessions/tokens.ts'

const HINT = 4

/** A new token, and what is stored of it: its last characters, by which people tell it from another, and its hash. */
export function newApiToken(): { token: string; stored: string } {
  const token = `blc_${opaqueToken()}`
  return { token, stored: `${token.slice(-HINT)}:${hashOf(token)}` }
}

/** The stored value as administrators may see it. */
export function maskedToken(stored: string): string {
  return stored === '' ? '' : `••••${stored.slice(0, HINT)}`
}

/** Throws 401 `ERR_SESSION_EXPIRED` unless the request brings the token; 429 after too many wrong ones from one address. */
export async function authenticateApi(
  { db, license }: Pick<Parts, 'db' | 'license'>,
  request: Request,
  address: string,
): Promise<void> {
  if (license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  const given = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given === undefined) throw new AppError('ERR_SESSION_EXPIRED')
  const [row] = await sqlOf(db)<{ value: string }[]>`select value from setting where key = 'userApiToken'`
  const known = row?.value.slice(HINT + 1) ?? ''
  if (known !== '' && timingSafeEqual(Buffer.from(hashOf(given)), Buffer.from(known))) return
  // After the look at the token, and by address alone: nobody can lock the token's owner out.
  await take(db, [ownLimit(`api:${placeOf(address)}`)])
  throw new AppError('ERR_SESSION_EXPIRED')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
