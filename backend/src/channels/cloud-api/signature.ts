// Webhooks of Meta: the challenge when an address is set up, and the signature over the raw bytes of every notification.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `X-Hub-Signature-256` was made with the app's secret over exactly these bytes; they must never be parsed and written anew before. */
export function isSigned(raw: Uint8Array, header: string | null, appSecret: string): boolean {
  const given = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (!given) return false
  const expected = createHmac('sha256', appSecret).update(raw).digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex'))
}

/**
 * The text to answer `GET /webhooks/cloud/{whatsappId}` with when Meta asks for the challenge, or null: then 403.
 * @example challengeOf(new URLSearchParams('hub.mode=subscribe&hub.verify_token=t&hub.challenge=42'), 't') // '42'
 */
export function challengeOf(query: URLSearchParams, verifyToken: string): string | null {
  if (query.get('hub.mode') !== 'subscribe') return null
  const given = Buffer.from(query.get('hub.verify_token') ?? '')
  const expected = Buffer.from(verifyToken)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return query.get('hub.challenge')
}
