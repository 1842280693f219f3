// Signatures as the Standard Webhooks specification has them: HMAC-SHA256 over id, time and body, for each secret that counts.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret, as people copy it. */
export function createSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

/** The headers of a call. `at`: when it is made; the body is signed as it goes out. */
export function signWebhook(secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}
