// Files kept for good away from this machine, in any store that speaks S3 (decision 0233). What comes half is asked for again from where
// it was cut; whoever reads compares the hash, so nothing half is ever taken for a file.
import { MB } from '@balcao/contract'
import type { Config } from '../config.ts'
import { AppError } from '../http/errors.ts'

export type BucketSettings = NonNullable<Config['s3']>

export interface Bucket {
  /** Puts a file of the disk there; there is no half of one. Throws `ERR_FILES_AWAY`. */
  put(key: string, path: string): Promise<void>
  /** Puts a few words there. Throws `ERR_FILES_AWAY`. */
  note(key: string, text: string): Promise<void>
  /** Its bytes, `size` of them. Throws `ERR_NO_FILE_FOUND`, or `ERR_FILES_AWAY` when it cannot be had whole. */
  read(key: string, size: number): AsyncGenerator<Uint8Array>
  /** So many bytes of it from one on, all of them. Throws `ERR_NO_FILE_FOUND`, `ERR_FILES_AWAY`. */
  part(key: string, start: number, count: number): Promise<Uint8Array<ArrayBuffer>>
  /** A small one whole, null when there is none. Throws `ERR_FILES_AWAY`. */
  small(key: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** What is not there is gone. Throws `ERR_FILES_AWAY`. */
  remove(key: string): Promise<void>
  /** Whether it failed just now: who can do without does not wait for it again. */
  readonly isAway: boolean
}

/** More than that goes there in parts, so that little of a file is in memory. */
const PART_BYTES = 8 * MB
const FLUSH_BYTES = MB
/** Between tries of the same; where something came in between, counting begins anew. */
const PAUSES_MS = [100, 400, 1500]
/** So long without a byte is broken off. */
const STALLED_MS = 20_000
const SLOWEST_BYTES_A_MS = 100
/** So long it counts as away after a failure. */
const AWAY_MS = 15_000
/** A signed address is used at once. */
const SIGNED_SECONDS = 300

const known = new WeakMap<BucketSettings, Bucket>()

/** The bucket of this configuration, one a process; null when files are kept in the folder alone. */
export function bucketOf(settings: BucketSettings | null): Bucket | null {
  if (settings === null) return null
  const bucket = known.get(settings) ?? openBucket(settings)
  known.set(settings, bucket)
  return bucket
}

function openBucket({ prefix, ...given }: BucketSettings): Bucket {
  const client = new Bun.S3Client(given)
  let awayUntil = 0

  /** Tries it some times; what fails in the end is told in our words. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const done = await work()
        awayUntil = 0
        return done
      } catch (error) {
        await pauseAfter(tries, error)
      }
    }
  }

  async function pauseAfter(tries: number, error: unknown): Promise<void> {
    if (isMissing(error)) throw error
    if (error instanceof AppError) {
      awayUntil = 0
      throw error
    }
    const pause = PAUSES_MS[tries]
    if (pause === undefined) {
      awayUntil = Date.now() + AWAY_MS
      throw filesAway(error)
    }
    await Bun.sleep(pause * (0.5 + Math.random()))
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

  return {
    put: (key, path) => insist(() => within(longestFor(Bun.file(path).size), putOnce(prefix + key, path))),
    note: (key, text) => insist(async () => void (await within(STALLED_MS, client.write(prefix + key, text)))),
    async *read(key, size) {
      for (let at = 0, tries = 0; at < size; ) {
        const from = at
        try {
          for await (const chunk of bytesFrom(client.presign(prefix + key, SIGNED), at)) {
            at += chunk.byteLength
            if (at > size) throw filesAway(new Error(`It is longer than ${size} bytes`))
            yield chunk
          }
          if (at < size) throw new Error(`It ended after ${at} of ${size} bytes`)
          awayUntil = 0
        } catch (error) {
          tries = at > from ? 0 : tries
          await pauseAfter(tries++, error)
        }
      }
    },
    part(key, start, count) {
      return insist(async () => {
        const range = `bytes=${start}-${start + count - 1}`
        const answer = await ask(client.presign(prefix + key, SIGNED), { headers: { range } })
        if (answer === null) throw new AppError('ERR_NO_FILE_FOUND')
        if (answer.status !== 206) {
          await answer.body?.cancel()
          throw new Error('It gives no part of a file')
        }
        return bytesOf(answer, count)
      })
    },
    async small(key) {
      return insist(async () => {
        const answer = await ask(client.presign(prefix + key, SIGNED), {})
        return answer === null ? null : bytesOf(answer)
      })
    },
    remove: key => insist(() => within(STALLED_MS, client.delete(prefix + key))),
    get isAway() {
      return Date.now() < awayUntil
    },
  }
}

/** The store cannot be reached, or what it gives is not what it was given. */
export function filesAway(cause?: unknown): AppError {
  return Object.assign(new AppError('ERR_FILES_AWAY', undefined, { 'retry-after': '5' }), { cause })
}

const SIGNED = { method: 'GET', expiresIn: SIGNED_SECONDS } as const

/** What comes of an object from a byte on, until it ends or stalls. */
async function* bytesFrom(address: string, at: number): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController()
  let timer = setTimeout(() => stalled.abort(), STALLED_MS)
  try {
    const answer = await ask(address, { signal: stalled.signal, ...(at > 0 && { headers: { range: `bytes=${at}-` } }) })
    if (!answer?.body) throw new AppError('ERR_NO_FILE_FOUND')
    if (at > 0 && answer.status !== 206) throw new Error('It gives no part of a file')
    for await (const chunk of answer.body) {
      clearTimeout(timer)
      timer = setTimeout(() => stalled.abort(), STALLED_MS)
      yield chunk
    }
  } finally {
    clearTimeout(timer)
    stalled.abort()
  }
}

/** Null when there is no such object; throws for everything else that is no answer with bytes. */
async function ask(address: string, init: RequestInit): Promise<Response | null> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(STALLED_MS), ...init })
  if (answer.ok) return answer
  await answer.body?.cancel()
  if (answer.status === 404) return null
  throw new Error(`The store of files answers ${answer.status}`)
}

/** All bytes of an answer; throws when there are fewer, or more, than it announced and were asked for. */
async function bytesOf(answer: Response, count?: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const wanted = count ?? Number(answer.headers.get('content-length') ?? bytes.length)
  if (bytes.length !== wanted) throw new Error(`${bytes.length} of ${wanted} bytes came`)
  return bytes
}

/** The slowest line a file of this size is waited for. */
function longestFor(bytes: number): number {
  return STALLED_MS + bytes / SLOWEST_BYTES_A_MS
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('The store of files does not answer')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The file of the disk is gone: whoever removed it wants it nowhere. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
