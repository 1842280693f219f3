// What Baileys takes of the package `whatsapp-rust-bridge`, by Node's own cryptography. A bundle has this in that package's place, which
// carries a whole Signal library as WebAssembly, twice, for these four (docs/decisions/0333). Names and signatures are that package's.
import { createHash, hkdfSync } from 'node:crypto'

/** HKDF by SHA-256; without a salt, with an empty one. */
export function hkdf(
  secret: Uint8Array,
  length: number,
  { salt, info }: { readonly salt?: Uint8Array | undefined; readonly info?: string | undefined },
): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt ?? new Uint8Array(), info ?? '', length))
}

export function md5(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('md5').update(bytes).digest())
}

const KEY_BYTES = 32

/** The five keys of a change of the app's state. */
export function expandAppStateKeys(secret: Uint8Array) {
  const keys = hkdf(secret, 5 * KEY_BYTES, { info: 'WhatsApp Mutation Keys' })
  const cut = (n: number) => keys.slice(n * KEY_BYTES, (n + 1) * KEY_BYTES)
  return {
    indexKey: cut(0),
    valueEncryptionKey: cut(1),
    valueMacKey: cut(2),
    snapshotMacKey: cut(3),
    patchMacKey: cut(4),
  }
}

const SUM_BYTES = 128

/** A hash of a set: a sum, so that members come and go without reading the others. */
export class LTHashAntiTampering {
  subtractThenAdd(base: Uint8Array, removed: readonly Uint8Array[], added: readonly Uint8Array[]): Uint8Array {
    const sum = new Uint8Array(base)
    const numbers = new DataView(sum.buffer)
    for (const [members, sign] of [[removed, -1] as const, [added, 1] as const])
      for (const member of members) {
        const share = new DataView(hkdf(member, SUM_BYTES, { info: 'WhatsApp Patch Integrity' }).buffer)
        for (let at = 0; at < SUM_BYTES; at += 2)
          numbers.setUint16(at, numbers.getUint16(at, true) + sign * share.getUint16(at, true), true)
      }
    return sum
  }
}
