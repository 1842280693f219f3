// What lies in a zip, part by part as it is unpacked: nobody holds all of it (docs/decisions/0237).
import { Inflate } from 'fflate'

/** More than any sheet that somebody filled in. */
export class TooLarge extends Error {}

/** The most bytes of what is unpacked, all parts together: what a zip tells of their sizes may be a lie. */
export const MOST_UNPACKED = 100 * 1024 * 1024
/** Packed bytes at a time: even of nothing but blanks they become no more than sixteen megabytes. */
const STEP = 16 * 1024
const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
const [END_BYTES, ENTRY_BYTES, LOCAL_BYTES, MOST_COMMENT] = [22, 46, 30, 0xffff]
/** Where a size or a place stands elsewhere. */
const ELSEWHERE = 0xffffffff
const [STORED, DEFLATED] = [0, 8]

export interface Unzipped {
  /** Unpacks a part, by its path in whatever case; null where there is none. Throws `TooLarge`, and what is wrong with its bytes. */
  readonly part: (path: string) => Generator<Uint8Array> | null
}

interface Entry {
  readonly method: number
  readonly at: number
  readonly size: number
}

/** Null for a zip of an unusual make: of more than one disk, sealed, or too long for its own numbers. */
export function unzipped(bytes: Uint8Array, most = MOST_UNPACKED): Unzipped | null {
  const entries = entriesOf(bytes)
  let total = 0
  function* unpack({ method, at, size }: Entry): Generator<Uint8Array> {
    for (const some of method === STORED ? [bytes.subarray(at, at + size)] : inflated(bytes.subarray(at, at + size))) {
      total += some.byteLength
      if (total > most) throw new TooLarge()
      yield some
    }
  }
  if (!entries) return null
  return {
    part(path) {
      const entry = entries.get(named(path))
      return entry ? unpack(entry) : null
    },
  }
}

function* inflated(packed: Uint8Array): Generator<Uint8Array> {
  let ready: Uint8Array[] = []
  const inflate = new Inflate(chunk => void ready.push(chunk))
  for (let at = 0; at < packed.byteLength; at += STEP) {
    inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.byteLength)
    yield* ready
    ready = []
  }
}

/** By the list at its end, as everybody reads it. */
function entriesOf(bytes: Uint8Array): Map<string, Entry> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end === null) return null
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== ENTRY) return null
    const isSealed = (view.getUint16(at + 8, true) & 1) === 1
    const method = view.getUint16(at + 10, true)
    const size = view.getUint32(at + 20, true)
    const start = startOf(view, view.getUint32(at + 42, true))
    if (isSealed || (method !== STORED && method !== DEFLATED) || size === ELSEWHERE || start === null) return null
    const name = bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + view.getUint16(at + 28, true))
    entries.set(named(new TextDecoder().decode(name)), { method, at: start, size })
    at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** The end of the list stands at the end, with no more than a comment behind it. */
function endOf(view: DataView): number | null {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MOST_COMMENT); at--) if (view.getUint32(at, true) === END) return at
  return null
}

/** Where the bytes of a part begin: behind a name and a field that may be longer than the list says. */
function startOf(view: DataView, at: number): number | null {
  if (at + LOCAL_BYTES > view.byteLength || view.getUint32(at, true) !== LOCAL) return null
  return at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
}

function named(path: string): string {
  return path.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}
