// Files kept for good away from this machine, in any store that speaks S3 (decision 0233). What comes half is asked for again from where
// it was cut; whoever reads compares the hash, so nothing half is ever taken for a file.
import { MB } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import { AppError } from '../../platform/http/errors.ts'

export type BucketSettings = NonNullable<Config['s3']>

/** What is read there. */
export interface BucketReader {
  /** Its bytes, `size` of them. Throws `ERR_NO_FILE_FOUND`, or `ERR_FILES_AWAY` when it cannot be had whole. */
  read(key: string, size: number): AsyncGenerator<Uint8Array>
  /** So many bytes of it from one on, all of them. Throws `ERR_NO_FILE_FOUND`, `ERR_FILES_AWAY`. */
  part(key: string, start: number, count: number): Promise<Uint8Array<ArrayBuffer>>
  /** A small one whole, null when there is none. Throws `ERR_FILES_AWAY`. */
  small(key: string): Promise<Uint8Array<ArrayBuffer> | null>
}

/** What work behind asks of it, with patience. */
export interface Bucket extends BucketReader {
  /** Puts a file of the disk there; there is no half of one. Throws `ERR_FILES_AWAY`. */
  put(key: string, path: string): Promise<void>
  /** Puts a few words there. Throws `ERR_FILES_AWAY`. */
  note(key: string, text: string): Promise<void>
  /** What is not there is gone. Throws `ERR_FILES_AWAY`. */
  remove(key: string): Promise<void>
  /** Whether it failed just now: who can do without does not wait for it again. */
  readonly isAway: boolean
  /** The same for somebody who waits: seconds to the first byte, and none for a while after it did not answer anybody. */
  readonly forPeople: BucketReader
  /** The same until the signal: what is under way then is broken off as if it were away. */
  until(signal: AbortSignal): Bucket
}

/** More than that goes there in parts, so that little of a file is in memory. */
const PART_BYTES = 8 * MB
const FLUSH_BYTES = MB
/** Between tries of the same; where something came in between, counting begins anew. */
const PAUSES_MS = [100, 400, 1500]
/** So long without a byte is broken off. */
const STALLED_MS = 20_000
const SLOWEST_BYTES_A_MS = 100
/** So long somebody waits for the first byte, or the next one. */
const SOON_MS = 4000
/** So long after it did not answer nobody waits for it; then one tries. */
const SILENT_MS = 3000
/** So long it counts as away after a failure. */
const AWAY_MS = 15_000
/** A signed address is used at once. */
const SIGNED_SECONDS = 300

const known = new WeakMap<BucketSettings, Bucket>()

/** The bucket of this configuration, one a process; null when files are kept in the folder alone. */
export function getBucket(settings: BucketSettings | null): Bucket | null {
  if (settings === null) return null
  const bucket = known.get(settings) ?? openBucket(settings)
  known.set(settings, bucket)
  return bucket
}

function openBucket({ prefix, ...options }: BucketSettings): Bucket {
  const client = new Bun.S3Client(options)
  let awayUntil = 0
  /** When somebody may try again; 0: nobody was left without an answer. */
  let silentUntil = 0

  function answered(): void {
    awayUntil = 0
    silentUntil = 0
  }

  /** Lets one through at a time while it does not answer. */
  function knock(): void {
    if (silentUntil === 0) return
    const now = Date.now()
    if (now < silentUntil) throw createFilesAwayError(new Error('It did not answer just now'))
    silentUntil = now + SOON_MS
  }

  /** The tries of one thing; what fails in the end is told in our words. */
  function beginTries({ isSoon, signal }: Asking) {
    if (isSoon) knock()
    // Who waits is not kept waiting for pauses when it was away a moment ago.
    const pauses = isSoon && Date.now() < awayUntil ? [] : PAUSES_MS
    let since = Date.now()
    let failures = 0
    const left = () => (isSoon ? since + SOON_MS - Date.now() : STALLED_MS)
    return {
      /** So long the next one may be without a byte. */
      left,
      /** Something came: counting begins anew. */
      came(): void {
        since = Date.now()
        failures = 0
        answered()
      },
      /** Waits for the next one; throws when there is none. */
      async failed(error: unknown): Promise<void> {
        if (isMissing(error)) throw error
        if (error instanceof AppError) {
          answered()
          throw error
        }
        if (signal?.aborted) throw createFilesAwayError(error)
        if (isSilence(error)) silentUntil = Date.now() + SILENT_MS
        const pause = (pauses[failures++] ?? Number.POSITIVE_INFINITY) * (0.5 + Math.random())
        if (pause >= left()) {
          awayUntil = Date.now() + AWAY_MS
          throw createFilesAwayError(error)
        }
        await Bun.sleep(pause)
      },
    }
  }

  async function insist<T>(asking: Asking, work: (ms: number) => Promise<T>): Promise<T> {
    for (const tries = beginTries(asking); ; ) {
      try {
        const done = await work(tries.left())
        tries.came()
        return done
      } catch (error) {
        await tries.failed(error)
      }
    }
  }

  async function putOnce(key: string, path: string): Promise<void> {
    const file = Bun.file(path)
    if (file.size <= PART_BYTES) return void (await client.write(key, await file.bytes()))
    const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 })
    let unsent = 0
    for await (const chunk of file.stream()) {
      await writer.write(chunk)
      unsent += chunk.byteLength
      if (unsent < FLUSH_BYTES) continue
      await writer.flush()
      unsent = 0
    }
    await writer.end()
  }

  function readsOf(asking: Asking): BucketReader {
    const address = (key: string) => client.presign(prefix + key, SIGNED)
    return {
      async *read(key, size) {
        const tries = beginTries(asking)
        for (let at = 0; at < size; ) {
          try {
            const from = at > 0 ? `bytes=${at}-` : null
            for await (const chunk of bytesFrom(address(key), { range: from, ms: tries.left(), ...asking })) {
              at += chunk.byteLength
              if (at > size) throw createFilesAwayError(new Error(`It is longer than ${size} bytes`))
              tries.came()
              yield chunk
            }
            if (at < size) throw new Error(`It ended after ${at} of ${size} bytes`)
          } catch (error) {
            await tries.failed(error)
          }
        }
      },
      part(key, start, count) {
        const range = `bytes=${start}-${start + count - 1}`
        return insist(asking, async ms => {
          const bytes = await gathered(bytesFrom(address(key), { range, ms, ...asking }))
          if (bytes.length !== count) throw new Error(`${bytes.length} of ${count} bytes came`)
          return bytes
        })
      },
      small: key =>
        insist(asking, ms => gathered(bytesFrom(address(key), { range: null, ms, ...asking }))).catch(error => {
          if (error instanceof AppError && error.code === 'ERR_NO_FILE_FOUND') return null
          throw error
        }),
    }
  }

  function until(signal?: AbortSignal): Bucket {
    const asking = { isSoon: false, signal }
    const within = (ms: number, work: Promise<unknown>) => whileItLasts(ms, work, signal)
    return {
      ...readsOf(asking),
      put: (key, path) =>
        insist(asking, () => within(computeTimeout(Bun.file(path).size), putOnce(prefix + key, path))),
      note: (key, text) => insist(asking, ms => within(ms, client.write(prefix + key, text))),
      remove: key => insist(asking, ms => within(ms, client.delete(prefix + key))),
      get isAway() {
        return Date.now() < awayUntil
      },
      forPeople: readsOf({ isSoon: true, signal }),
      until,
    }
  }

  return until()
}

/** Who asks: somebody who waits, or somebody with patience; both until the signal. */
interface Asking {
  readonly isSoon: boolean
  readonly signal?: AbortSignal | undefined
}

/** The store cannot be reached, or what it gives is not what it was given. */
export function createFilesAwayError(cause?: unknown): AppError {
  return Object.assign(new AppError('ERR_FILES_AWAY', undefined, { 'retry-after': '5' }), { cause })
}

const SIGNED = { method: 'GET', expiresIn: SIGNED_SECONDS } as const

/** What comes of an object, or of a range of it, until it ends, or nothing comes for so long. Throws `ERR_NO_FILE_FOUND`. */
async function* bytesFrom(
  address: string,
  {
    range,
    ms,
    signal,
  }: { readonly range: string | null; readonly ms: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController()
  const wait = () => setTimeout(() => stalled.abort(new DOMException('It does not answer', 'TimeoutError')), ms)
  let timer = wait()
  try {
    const ended = AbortSignal.any([stalled.signal, ...(signal ? [signal] : [])])
    const answer = await fetch(address, { signal: ended, ...(range !== null && { headers: { range } }) })
    await needBytes(answer, range)
    let came = 0
    for await (const chunk of answer.body ?? []) {
      clearTimeout(timer)
      timer = wait()
      came += chunk.byteLength
      yield chunk
    }
    const length = answer.headers.get('content-length')
    if (length !== null && came !== Number(length)) throw new Error(`${came} of ${length} bytes came`)
  } finally {
    clearTimeout(timer)
    stalled.abort()
  }
}

/** Throws for everything that is no answer with the bytes that were asked for. */
async function needBytes(answer: Response, range: string | null): Promise<void> {
  if (answer.ok && (range === null || answer.status === 206)) return
  await answer.body?.cancel()
  if (answer.status === 404) throw new AppError('ERR_NO_FILE_FOUND')
  throw new Error(answer.ok ? 'It gives no part of a file' : `The store of files answers ${answer.status}`)
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** The slowest line a file of this size is waited for. */
function computeTimeout(bytes: number): number {
  return STALLED_MS + bytes / SLOWEST_BYTES_A_MS
}

async function whileItLasts(ms: number, work: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const over = AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])
  const { promise: late, reject } = Promise.withResolvers<never>()
  const end = () => reject(over.reason)
  over.addEventListener('abort', end)
  if (over.aborted) end()
  try {
    await Promise.race([work, late])
  } finally {
    over.removeEventListener('abort', end)
  }
}

/** Nobody answered in time. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

/** The file of the disk is gone: whoever removed it wants it nowhere. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
