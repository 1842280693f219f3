// Reads a backup as it streams in, and believes nothing of it: the envelope, the sum of the archive, every table, all by the last word.
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { BEGINNING, FORM, MANIFEST, makeTail, PART_BYTES, parseMemberPath, readBytes } from './archive.ts'
import { decrypt, ENVELOPE } from './envelope.ts'
import { BackupFault } from './fault.ts'
import type { ArchiveManifest, BackupBeginning, BackupReader, FormReader, Manifest, MemberName } from './format.ts'
import { OLD_MAGIC, readOldForm } from './old-form.ts'
import { damaged, memberSums, startSum } from './sums.ts'

/** Throws `BACKUP_NOT_ONE`, `BACKUP_NEWER`, `BACKUP_KEY_…`, `BACKUP_CUT`, `BACKUP_DAMAGED`. */
export async function readBackup(source: AsyncIterable<Uint8Array>, key: string | null): Promise<BackupReader> {
  const iterator = source[Symbol.asyncIterator]()
  let read = 0
  const { first, all } = await peek(iterator, size => {
    read += size
  })
  const close = async () => void (await iterator.return?.())
  try {
    const { beginning, next, manifest } = await readForm(first, all, key)
    return {
      beginning,
      next,
      manifest,
      close,
      get read() {
        return read
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function readForm(first: string, all: AsyncGenerator<Uint8Array>, key: string | null): Promise<FormReader> {
  if (first.startsWith(OLD_MAGIC)) return readOldForm(all, key)
  if (first.startsWith(ENVELOPE)) {
    const { bytes, unproven } = await decrypt(all, key)
    return readArchive(bytes, unproven)
  }
  if (!first.startsWith(`${BEGINNING}\0`)) throw new BackupFault('BACKUP_NOT_ONE')
  // Who can write where backups lie could put one of their own there: only what the key opens is trusted by whoever has one.
  if (key !== null) throw new BackupFault('BACKUP_KEY_UNUSED')
  return readArchive(all, () => 0)
}

const MOST_FIRST = 64

async function peek(source: AsyncIterator<Uint8Array>, count: (size: number) => void) {
  let bytes = Buffer.alloc(0)
  while (bytes.length < MOST_FIRST) {
    const next = await source.next()
    if (next.done) break
    count(next.value.length)
    bytes = Buffer.concat([bytes, next.value])
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    if (bytes.length > 0) yield bytes
    for (let next = await source.next(); !next.done; next = await source.next()) {
      count(next.value.length)
      yield next.value
    }
  }
  return { first: bytes.toString('latin1', 0, MOST_FIRST), all: all() }
}

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never

const decompress = promisify(zstdDecompress)
/** No part of a table is packed to more, nor the first and the last word. */
const MOST_WHOLE = 4 * PART_BYTES

/** `unproven`: bytes at the end that the envelope could not open. */
async function readArchive(bytes: AsyncIterable<Uint8Array>, unproven: () => number): Promise<FormReader> {
  const tar = extract()
  const entries = tar[Symbol.asyncIterator]()
  const whole = watchArchive(bytes)
  const pouring = pipeline(whole.bytes(), tar)
  // Whoever reads the next entry hears of it.
  pouring.catch(() => {})
  const sums = memberSums()
  let manifest: Manifest | undefined
  let following: Entry | undefined
  let isAtEnd = true

  async function nextEntry(): Promise<Entry | null> {
    try {
      const { done, value } = await entries.next()
      return done ? null : value
    } catch (error) {
      throw whole.explain(error)
    }
  }

  async function* chunksOf(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      yield* readBytes(entry)
    } catch (error) {
      throw whole.explain(error)
    }
  }

  async function readWhole(entry: Entry): Promise<Buffer> {
    if (entry.header.size > MOST_WHOLE) throw damaged(entry.header.name)
    return Buffer.concat(await Array.fromAsync(chunksOf(entry)))
  }

  async function* readTable(first: Entry, table: string): AsyncGenerator<Uint8Array> {
    for (let entry = first; ; ) {
      const packed = await readWhole(entry)
      yield await decompress(packed, { maxOutputLength: PART_BYTES }).catch(() => {
        throw damaged(table)
      })
      const next = await nextEntry()
      if (next === null) throw new BackupFault('BACKUP_CUT')
      const name = parseMemberPath(next.header.name)
      if (name?.kind !== 'table' || name.name !== table) {
        following = next
        return
      }
      entry = next
    }
  }

  async function* summed(name: MemberName, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const sum = startSum()
    for await (const chunk of chunks) {
      sum.update(chunk)
      yield chunk
    }
    sums.add(name, sum.result())
    isAtEnd = true
  }

  async function finish(entry: Entry): Promise<void> {
    const said: ArchiveManifest = parseJson(await readWhole(entry), MANIFEST)
    // Whether it ends too early or too late is told by its length.
    const more = await nextEntry().catch(error => {
      if (error instanceof BackupFault && error.code === 'BACKUP_CUT') return null
      throw error
    })
    if (more !== null) throw damaged(MANIFEST)
    await whole.compare(said, beginning.at, unproven())
    sums.compare(said)
    const { tables, files } = said
    manifest = { tables, files }
  }

  const first = await nextEntry()
  if (first === null) throw new BackupFault('BACKUP_CUT')
  if (first.header.name !== BEGINNING) throw new BackupFault('BACKUP_NOT_ONE')
  const { form, ...beginning }: BackupBeginning & { form: number } = parseJson(await readWhole(first), BEGINNING)
  if (form !== FORM) throw new BackupFault('BACKUP_NEWER', { version: beginning.version })
  return {
    beginning,
    async next() {
      if (!isAtEnd) throw new Error('The member was not read to its end')
      const entry = following ?? (await nextEntry())
      following = undefined
      if (entry === null) throw new BackupFault('BACKUP_CUT')
      const path = entry.header.name
      if (path === MANIFEST) {
        await finish(entry)
        return null
      }
      const name = parseMemberPath(path)
      if (name === null) throw damaged(path)
      isAtEnd = false
      return { name, bytes: summed(name, name.kind === 'table' ? readTable(entry, name.name) : chunksOf(entry)) }
    },
    manifest() {
      if (!manifest) throw new Error('The backup was not read to its end')
      return manifest
    },
  }
}

/** The last bytes, of which the manifest is known only when they have come. */
const HELD_BYTES = 1024 * 1024

/** Compares the bytes of the archive, all of them, with the sum in its manifest. */
function watchArchive(source: AsyncIterable<Uint8Array>) {
  const sum = startSum()
  let held: Uint8Array[] = []
  let [read, summed] = [0, 0]
  let trouble: { readonly error: unknown } | undefined

  function add(chunk: Uint8Array): void {
    held.push(chunk)
    read += chunk.length
    for (let [first] = held; first && read - summed - first.length > HELD_BYTES; [first] = held) {
      sum.update(first)
      summed += first.length
      held = held.slice(1)
    }
  }

  return {
    async *bytes(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of source) {
          add(chunk)
          yield chunk
        }
      } catch (error) {
        trouble = { error }
        throw error
      }
    },
    /** What kept the next bytes away, or what is wrong with them. */
    explain(error: unknown): unknown {
      if (trouble) return trouble.error
      if (error instanceof BackupFault) return error
      const isCut = error instanceof Error && error.message === 'Unexpected end of data'
      return isCut ? new BackupFault('BACKUP_CUT') : damaged(`byte ${read}`)
    },
    /** Throws `BACKUP_CUT`, `BACKUP_DAMAGED`. */
    async compare(manifest: ArchiveManifest, at: string, unproven: number): Promise<void> {
      const tail = await makeTail(manifest, at)
      const end = manifest.archive.bytes + tail.length
      if (read + unproven < end) throw new BackupFault('BACKUP_CUT')
      if (read > end || unproven > 0) throw damaged(`byte ${end}`)
      const last = Buffer.concat(held)
      const before = manifest.archive.bytes - summed
      if (before < 0) throw damaged(MANIFEST)
      sum.update(last.subarray(0, before))
      if (sum.result().sha256 !== manifest.archive.sha256) throw damaged('sha256')
      if (!tail.equals(last.subarray(before))) throw damaged(`byte ${manifest.archive.bytes}`)
    },
  }
}

function parseJson<T>(bytes: Uint8Array, part: string): T {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    throw damaged(part)
  }
}
