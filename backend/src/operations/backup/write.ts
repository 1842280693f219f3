// Writes a backup, member by member, to wherever its bytes go.
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import {
  BEGINNING,
  FORM,
  getFilePath,
  getHeader,
  getPartPath,
  makeTail,
  PART_BYTES,
  readBytes,
  splitEvenly,
} from './archive.ts'
import { encrypt } from './envelope.ts'
import type { BackupBeginning, Checksum, Manifest, MemberName } from './format.ts'
import type { BackupSink } from './storage.ts'
import { type Summing, startSum } from './sums.ts'

/** Bytes whose number is known. */
export interface SizedBytes {
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface BackupWriter {
  /** Bytes that have gone out so far. */
  readonly written: number
  table(name: string, rows: AsyncIterable<Uint8Array>): Promise<Checksum>
  file(name: Extract<MemberName, { id: string }>, file: SizedBytes): Promise<Checksum>
  /** The sums, and all bytes out. */
  end(manifest: Manifest): Promise<void>
  /** Nothing more goes out. */
  abort(): Promise<void>
}

const MB = 1024 * 1024
const compress = promisify(zstdCompress)
/** With a sum of its own: rows of a part that was changed reach no database. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }

/** `between` is awaited between any two megabytes: it may take its time, and may throw to end it. */
export async function createBackupWriter(
  sink: BackupSink,
  key: string | null,
  beginning: BackupBeginning,
  between: () => Promise<void>,
): Promise<BackupWriter> {
  const tar = pack()
  const ending = Promise.withResolvers<Manifest>()
  const plain = makeArchive(tar, ending.promise, beginning.at)
  const out = key === null ? plain : await encrypt(splitEvenly(plain, MB), key)
  let written = 0
  const pouring = pour().catch(error => {
    tar.destroy(error)
    throw error
  })
  // Whoever adds the next member hears of it.
  pouring.catch(() => {})

  async function pour(): Promise<void> {
    for await (const bytes of splitEvenly(out, MB)) {
      await sink.write(bytes)
      written += bytes.length
    }
  }

  async function add(path: string, size: number, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    await Promise.race([pipeline(bytes, tar.entry(getHeader(path, size, beginning.at))), pouring])
  }

  async function* watched(bytes: AsyncIterable<Uint8Array>, sum: Summing): AsyncGenerator<Uint8Array> {
    let since = 0
    for await (const chunk of bytes) {
      sum.update(chunk)
      yield chunk
      since += chunk.length
      if (since < MB) continue
      since = 0
      await between()
    }
    await between()
  }

  const json = Buffer.from(JSON.stringify({ form: FORM, ...beginning }))
  await add(BEGINNING, json.length, [json])
  return {
    get written() {
      return written
    },
    async table(name, rows) {
      const sum = startSum()
      let part = 0
      for await (const raw of splitEvenly(watched(rows, sum), PART_BYTES)) {
        const packed = await compress(raw, ZSTD)
        await add(getPartPath(name, ++part), packed.length, [packed])
      }
      // So that it is there, too.
      if (part === 0) {
        const nothing = await compress(Buffer.alloc(0), ZSTD)
        await add(getPartPath(name, 1), nothing.length, [nothing])
      }
      return sum.result()
    },
    async file(name, { size, bytes }) {
      const sum = startSum()
      await add(getFilePath(name), size, watched(bytes, sum))
      return sum.result()
    },
    async end(manifest) {
      ending.resolve(manifest)
      tar.finalize()
      await pouring
    },
    async abort() {
      tar.destroy()
      await pouring.catch(() => {})
    },
  }
}

/** The bytes of the tar with the manifest at their end, which has the sum of all before it. */
async function* makeArchive(tar: Pack, manifest: Promise<Manifest>, at: string): AsyncGenerator<Uint8Array> {
  const sum = startSum()
  let last: Uint8Array | undefined
  for await (const chunk of readBytes(tar)) {
    if (last) {
      sum.update(last)
      yield last
    }
    last = chunk
  }
  // The last of them are the end of the tar, and the manifest comes before that.
  yield makeTail({ ...(await manifest), archive: sum.result() }, at)
}
