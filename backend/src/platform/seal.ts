// Sealing of what must not lie readable in the database (e-mails, tokens of connections): AES-256-GCM with DATA_KEY.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

/** Seals a text: base64 of iv(12) ‖ ciphertext ‖ tag(16). */
export function seal(dataKey: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(dataKey), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64')
}

/** Opens a sealed text; throws when the key is another one or the text was changed. */
export function unseal(dataKey: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(dataKey), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}

/** The same, or null for what cannot be opened: one unreadable row must not take the others with it. */
export function tryUnseal(dataKey: string, sealed: string): string | null {
  try {
    return unseal(dataKey, sealed)
  } catch {
    return null
  }
}

/** 32 bytes that whoever has the key can work out again, and nobody else. */
export function deriveBytes(dataKey: string, text: string): Buffer {
  return createHmac('sha256', deriveKey(dataKey)).update(text).digest()
}

/** The index by which a sealed e-mail is found: the same for every spelling in case. */
export function hashEmail(dataKey: string, email: string): string {
  return createHmac('sha256', deriveKey(dataKey)).update(`email:${email.trim().toLowerCase()}`).digest('hex')
}

/** A token as it is stored: tokens are random, so a plain hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function deriveKey(dataKey: string): Buffer {
  return createHash('sha256').update(dataKey).digest()
}
