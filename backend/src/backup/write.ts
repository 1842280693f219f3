// Writes a backup, member by member, to wherever its bytes go.
import { createHash, randomBytes } from 'node:crypto'
import {
  type Beginning,
  FORM,
  type FrameKind,
  type Head,
  MAGIC,
  type Manifest,
  type MemberName,
  type Sum,
} from './format.ts'
import { bytesIn, CHUNK, frameWriter } from './frames.ts'
import { newLock } from './key.ts'
import type { Sink } from './place.ts'

export interface BackupWriter {
  /** Bytes that have gone out so far. */
  readonly written: number
  begin(beginning: Beginning): Promise<void>
  member(name: MemberName, bytes: AsyncIterable<Uint8Array>): Promise<Sum>
  /** The sums, and all bytes out. */
  end(manifest: Manifest): Promise<void>
}

/** `between` is awaited between two frames: it may take its time, and may throw to end it. */
export async function backupWriter(
  sink: Sink,
  key: string | null,
  between: () => Promise<void>,
): Promise<BackupWriter> {
  const locked = key === null ? null : newLock(key)
  const head = headBytes({ lock: locked?.lock ?? null, id: randomBytes(16).toString('hex') })
  const frame = frameWriter(head, locked?.key ?? null)
  let written = 0
  // Small frames go out together.
  let held: Uint8Array[] = [head]
  let heldBytes = head.length

  async function put(kind: FrameKind, bytes: Uint8Array): Promise<void> {
    const made = await frame(kind, bytes)
    held.push(...made)
    heldBytes += bytesIn(made)
    if (heldBytes >= CHUNK) await letOut()
    await between()
  }

  async function letOut(): Promise<void> {
    const bytes = Buffer.concat(held)
    held = []
    heldBytes = 0
    await sink.write(bytes)
    written += bytes.length
  }

  return {
    get written() {
      return written
    },
    begin: beginning => put('beginning', jsonBytes(beginning)),
    async member(name, bytes) {
      await put('member', jsonBytes(name))
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of chunked(bytes)) {
        hash.update(chunk)
        size += chunk.length
        await put('data', chunk)
      }
      const sum: Sum = { bytes: size, sha256: hash.digest('hex') }
      await put('memberEnd', jsonBytes(sum))
      return sum
    },
    async end(manifest) {
      await put('end', jsonBytes(manifest))
      await letOut()
    },
  }
}

/** A first line that says what it is, then the head with its length. */
function headBytes(head: Head): Buffer {
  const json = jsonBytes(head)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([Buffer.from(`${MAGIC}${FORM}\n`), length, json])
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** The same bytes in pieces of one size, but for the last. */
async function* chunked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + CHUNK - size)
      parts.push(piece)
      size += piece.length
      at += piece.length
      if (size < CHUNK) continue
      yield Buffer.concat(parts)
      parts = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(parts)
}
