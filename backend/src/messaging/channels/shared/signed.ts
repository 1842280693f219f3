// What a provider posts and signs, Meta and gateways alike: `X-Hub-Signature-256` over exactly the bytes that came.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether the header was made with the secret over exactly these bytes; they must never be parsed and written anew before. */
export function isSigned(raw: Uint8Array, header: string | null, secret: string): boolean {
  const digest = /^sha256=([0-9a-f]{64})$/.exec(header ?? '')?.[1]
  if (!digest) return false
  const expected = createHmac('sha256', secret).update(raw).digest()
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'))
}

/** The JSON that came; undefined for what is none. */
export function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    return undefined
  }
}
