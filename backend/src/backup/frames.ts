// Frames: a length, and bytes that are packed and sealed. The seal counts frames, so none can be changed, left out or put elsewhere.
// With a key it is AES-256-GCM; without one the first half of a SHA-256, which finds every mishap but stops nobody who means it.
import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { BackupFault } from './fault.ts'
import { type FrameKind, KINDS } from './format.ts'

/** The most one frame holds before it is packed. */
export const CHUNK = 1024 * 1024
/** No frame of ours is longer: what says so is no length. */
const LONGEST = 2 * CHUNK
/** What is smaller is not worth packing. */
const WORTH_PACKING = 256
const TAG = 16
const PLAIN = 0
const PACKED = 1

export interface Frame {
  readonly kind: FrameKind
  readonly bytes: Uint8Array
}

/** Makes frames one after the other, each in the parts it is made of. `head`: the bytes before the first one, which they are bound to. */
export function frameWriter(head: Uint8Array, key: Buffer | null) {
  let count = 0
  return async (kind: FrameKind, bytes: Uint8Array): Promise<Uint8Array[]> => {
    const { how, packed } = await pack(bytes)
    const sealed = sealFrame(head, key, count++, [Buffer.of(KINDS.indexOf(kind), how), packed])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytesIn(sealed))
    return [length, ...sealed]
  }
}

export function bytesIn(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/** Reads frames one after the other; null at the end of the bytes. Throws `BACKUP_CUT`, `BACKUP_DAMAGED`. */
export function frameReader(
  head: Uint8Array,
  key: Buffer | null,
  take: (bytes: number) => Promise<Uint8Array | null>,
): () => Promise<Frame | null> {
  let count = 0
  return async () => {
    const length = await take(4)
    if (length === null) return null
    const size = Buffer.from(length).readUInt32BE()
    if (size < TAG + 2 || size > LONGEST) throw damaged(count)
    const sealed = await take(size)
    if (sealed === null) throw new BackupFault('BACKUP_CUT')
    const body = openFrame(head, key, count++, Buffer.from(sealed))
    const kind = KINDS[body[0] ?? -1]
    if (kind === undefined) throw damaged(count)
    const bytes = body.subarray(2)
    return { kind, bytes: body[1] === PACKED ? await unpack(bytes, count) : bytes }
  }
}

async function pack(bytes: Uint8Array): Promise<{ how: number; packed: Uint8Array }> {
  if (bytes.length < WORTH_PACKING) return { how: PLAIN, packed: bytes }
  const packed = await Bun.zstdCompress(bytes, { level: 3 })
  return packed.length < bytes.length ? { how: PACKED, packed } : { how: PLAIN, packed: bytes }
}

async function unpack(bytes: Uint8Array, count: number): Promise<Uint8Array> {
  try {
    return await Bun.zstdDecompress(bytes)
  } catch {
    throw damaged(count)
  }
}

function sealFrame(head: Uint8Array, key: Buffer | null, count: number, body: readonly Uint8Array[]): Uint8Array[] {
  if (key === null) return [...body, tagOf(head, count, body)]
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(count)).setAAD(head)
  return [...body.map(part => cipher.update(part)), cipher.final(), cipher.getAuthTag()]
}

function openFrame(head: Uint8Array, key: Buffer | null, count: number, sealed: Buffer): Buffer {
  const [body, tag] = [sealed.subarray(0, -TAG), sealed.subarray(-TAG)]
  if (key === null) {
    if (!timingSafeEqual(tag, tagOf(head, count, [body]))) throw damaged(count)
    return body
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(count)).setAAD(head).setAuthTag(tag)
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    throw damaged(count)
  }
}

/** The key is of this backup alone, so the number of the frame is enough. */
function nonceOf(count: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(count), 4)
  return nonce
}

function tagOf(head: Uint8Array, count: number, body: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(head).update(nonceOf(count))
  for (const part of body) hash.update(part)
  return hash.digest().subarray(0, TAG)
}

function damaged(count: number): BackupFault {
  return new BackupFault('BACKUP_DAMAGED', { what: `#${count}` })
}
