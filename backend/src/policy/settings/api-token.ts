// The token of the external API: only its hash is stored, so it can be shown once, when it is made (decisions §5 `userApiToken`).
import { createHash, timingSafeEqual } from 'node:crypto'
import { createOpaqueToken } from '../sessions/tokens.ts'

const HINT = 4

/** A new token, and what is stored of it: its last characters, by which people tell it from another, and its hash. */
export function createApiToken(): { token: string; stored: string } {
  const token = `blc_${createOpaqueToken()}`
  return { token, stored: `${token.slice(-HINT)}:${hashApiToken(token)}` }
}

/** The stored value as administrators may see it. */
export function maskToken(stored: string): string {
  return stored === '' ? '' : `••••${stored.slice(0, HINT)}`
}

/** Whether a token is the one that is stored. */
export function isApiToken(input: string, stored: string): boolean {
  const known = stored.slice(HINT + 1)
  return known !== '' && timingSafeEqual(Buffer.from(hashApiToken(input)), Buffer.from(known))
}

function hashApiToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
