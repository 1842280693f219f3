// The wire format in which the specification sends e-mails and passwords (decisions §2). Not security: TLS protects them.
// AES-256-GCM, key = SHA-256 of the shared secret in UTF-8, payload = base64(iv(12) ‖ ciphertext ‖ tag(16)). Web Crypto only.

/** Encrypts a text in the wire format. */
export async function sealWire(secret: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(secret), new TextEncoder().encode(text)),
  )
  return btoa(String.fromCharCode(...iv, ...sealed))
}

/** Decrypts a text in the wire format; null if it is not in it (then it is plain text, which every endpoint takes too). */
export async function openWire(secret: string, payload: string): Promise<string | null> {
  if (payload.length < 38 || !/^[A-Za-z0-9+/]+={0,2}$/.test(payload)) return null
  try {
    const bytes = Uint8Array.from(atob(payload), character => character.charCodeAt(0))
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(0, 12) },
      await deriveKey(secret),
      bytes.subarray(12),
    )
    return new TextDecoder().decode(plain)
  } catch {
    return null // another key or no sealed text at all: the caller treats it as plain text
  }
}

async function deriveKey(secret: string): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
