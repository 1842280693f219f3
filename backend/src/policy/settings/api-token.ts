// Tokens of the API: only their hash is stored, so each can be shown once, when it is made (decisions §5 `userApiToken`).
import { createHash, timingSafeEqual } from 'node:crypto'
import { createOpaqueToken } from '../sessions/tokens.ts'

const PREFIX = 'blc_'
const HINT = 4

/** Whether a text has the form of a token; nothing else is looked for in the database. */
export function looksLikeApiToken(text: string | undefined): text is string {
  return text?.startsWith(PREFIX) === true && text.length < 100
}

/** A new token, and what is stored of it: its last characters, by which people tell it from another, and its hash. */
export function createApiToken(): { token: string; stored: string } {
  const token = `${PREFIX}${createOpaqueToken()}`
  return { token, stored: `${token.slice(-HINT)}:${hashApiToken(token)}` }
}

/** Of what is stored with a token of its own name. */
export function splitStoredToken(stored: string): { hint: string; hash: string } {
  return { hint: stored.slice(0, HINT), hash: stored.slice(HINT + 1) }
}

/** The stored value as administrators may see it. */
export function maskToken(stored: string): string {
  return stored === '' ? '' : `••••${stored.slice(0, HINT)}`
}

/** Whether a token is the one that is stored. */
export function isApiToken(input: string, stored: string): boolean {
  const { hash: known } = splitStoredToken(stored)
  return known !== '' && timingSafeEqual(Buffer.from(hashApiToken(input)), Buffer.from(known))
}

export function hashApiToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
