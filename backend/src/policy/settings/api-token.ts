// The token of the external API: only its hash is stored, so it can be shown once, when it is made (decisions §5 `userApiToken`).
import { createHash, timingSafeEqual } from 'node:crypto'
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

/** Whether a token is the one that is stored. */
export function isApiToken(given: string, stored: string): boolean {
  const known = stored.slice(HINT + 1)
  return known !== '' && timingSafeEqual(Buffer.from(hashOf(given)), Buffer.from(known))
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
