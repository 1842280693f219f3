// Files that a bucket keeps for good: put there once they are stored, brought at hand when somebody needs them, whole or not at all
// (decision 0233). Whoever shows, sends or reads a file does so from the folder.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MB } from '@balcao/contract'
import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { AppError } from '../../platform/http/errors.ts'
import { type Bucket, type BucketReader, createFilesAwayError } from './bucket.ts'
import { checkBucketOwnership } from './bucket-owner.ts'
import { getMediaPath, getThumbPath, OURS_ALONE, receiveFile, syncToDisk } from './folder.ts'
import type { MediaStorage, ReadStorage } from './storage.ts'
import { type MediaRow, media } from './table.ts'

/** Nobody waits longer for the bucket than that: what is not there yet follows. */
const WAIT_MS = 5000
/** A bucket that gives other bytes than it was given is asked again, so often. */
const TRIES = 3
/** Using a copy makes it young again; more often than that needs no note. */
const NOTE_MS = 3_600_000
/** Nobody notices that a file of this size comes whole first. */
const SOON_BYTES = 8 * MB
/** More of a range is not held in memory: who plays a film asks for what comes after. */
const WINDOW_BYTES = 2 * MB

type Bytes = Pick<MediaRow, 'id' | 'size' | 'sha256'>
type ToKeep = Bytes & Pick<MediaRow, 'keptIn'>

/** What became of putting a file into the bucket. `missing`: its bytes are not on this machine · `damaged`: they are not what was stored. */
export type UploadResult = 'kept' | 'missing' | 'damaged'

/** Puts a file that was just stored into the bucket; while that is away it waits in the folder, and nobody waits for it. */
export async function uploadNow(place: MediaStorage, file: ToKeep): Promise<void> {
  if (!place.bucket || place.bucket.isAway) return
  await waitBriefly(uploadToBucket(place, place.bucket, file))
}

/** What the bucket does not do soon follows without whoever waits; that it is away is nobody's failure. */
export async function waitBriefly(work: Promise<unknown>): Promise<void> {
  const done = work.catch(error => {
    if (!isBucketAway(error)) throw error
  })
  await Promise.race([done, Bun.sleep(WAIT_MS)])
}

/**
 * Puts what waits in the folder of this machine into the bucket; how many are there now. `youngerThanMs`: only of what came since; what is
 * older and not here waits on another machine, or for ever. Throws `ERR_FILES_AWAY`.
 */
export async function uploadWaitingFiles(place: MediaStorage, youngerThanMs?: number): Promise<number> {
  const { db, bucket } = place
  if (!bucket) return 0
  let uploaded = 0
  const young =
    youngerThanMs === undefined
      ? undefined
      : gt(media.createdAt, sql`now() - ${youngerThanMs / 1000} * interval '1 second'`)
  for (let last = ''; ; ) {
    const waiting = and(eq(media.keptIn, 'waiting'), gt(media.id, last), young)
    const rows = await db.select().from(media).where(waiting).orderBy(media.id).limit(PAGE)
    for (const row of rows) {
      const outcome = await uploadToBucket(place, bucket, row)
      if (outcome === 'kept') uploaded++
      // It stays where it is: trying again would change nothing.
      if (outcome === 'damaged') await db.update(media).set({ keptIn: 'folder' }).where(eq(media.id, row.id))
    }
    const end = rows.at(-1)
    if (!end) return uploaded
    last = end.id
  }
}

const PAGE = 100

/** Puts a file into the bucket, reads it back, and only then notes that it is kept there. Throws `ERR_FILES_AWAY`, also where the bucket is another desk's. */
export async function uploadToBucket(
  { db, dataDir }: Pick<MediaStorage, 'db' | 'dataDir'>,
  bucket: Bucket,
  { id, size, sha256, keptIn }: ToKeep,
): Promise<UploadResult> {
  const path = getMediaPath(dataDir, id)
  const here = await stat(path).catch(() => null)
  if (here === null) return 'missing'
  if (here.size !== size) return 'damaged'
  await checkBucketOwnership({ db }, bucket)
  for (let tries = 1; ; tries++) {
    await bucket.put(id, path)
    if ((await hashBytes(bucket.read(id, size))) === sha256) break
    const isDamaged = (await hashBytes(Bun.file(path).stream())) !== sha256
    if (!isDamaged && tries < TRIES) continue
    await bucket.remove(id)
    if (isDamaged) return 'damaged'
    throw createFilesAwayError(new Error(`What was put there as ${id} does not come back as it was`))
  }
  const thumb = getThumbPath(path)
  if (existsSync(thumb)) await bucket.put(thumbKey(id), thumb)
  // Another process may have put it there, too, or moved it back: whoever notes first is right.
  const wanted = and(eq(media.id, id), eq(media.keptIn, keptIn), ne(media.owner, 'gone'))
  await db.update(media).set({ keptIn: 's3' }).where(wanted)
  const [row] = await db.select({ keptIn: media.keptIn, owner: media.owner }).from(media).where(eq(media.id, id))
  if (row && row.owner !== 'gone') return row.keptIn === 's3' ? 'kept' : 'missing'
  // It was let go meanwhile.
  await removeFromBucket(bucket, id)
  return 'missing'
}

/** Removes a file and its small picture from the bucket. Throws `ERR_FILES_AWAY`. */
export async function removeFromBucket(bucket: Bucket, id: string): Promise<void> {
  await bucket.remove(id)
  await bucket.remove(thumbKey(id))
}

/** Where a file lies at hand; one that the bucket keeps is brought first. Throws `ERR_NO_FILE_FOUND`, `ERR_FILES_AWAY`, `ERR_NO_SPACE`. */
export async function ensureLocalFile(place: ReadStorage, file: MediaRow): Promise<string> {
  const path = getMediaPath(place.dataDir, file.id)
  if (file.keptIn !== 's3' || (await isHere(path, file.size))) return path
  await once(needed(place.bucket), place.dataDir, file, path)
  return path
}

/**
 * The beginning of a part of a file that is far and large: its bytes from `start` on, to `end` at most, straight from the bucket, while
 * the whole file comes for who asks next. Null when it lies at hand, or comes soon enough. Throws as `ensureLocalFile` does.
 */
export async function readBucketRange(
  place: ReadStorage,
  file: MediaRow,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const path = getMediaPath(place.dataDir, file.id)
  if (file.keptIn !== 's3' || file.size <= SOON_BYTES || (await isHere(path, file.size))) return null
  const bucket = needed(place.bucket)
  const part = bucket.part(file.id, start, Math.min(end - start + 1, WINDOW_BYTES))
  // Whoever needs all of it is told what is wrong with it; a part is here without.
  once(bucket, place.dataDir, file, path).catch(() => {})
  return part
}

/** Where the small picture of a file lies at hand; null when it has none. Throws as `ensureLocalFile` does. */
export async function ensureLocalThumb(
  { dataDir, bucket }: ReadStorage,
  { id, keptIn }: MediaRow,
): Promise<string | null> {
  const path = getThumbPath(getMediaPath(dataDir, id))
  if (existsSync(path)) return path
  if (keptIn !== 's3') return null
  const bytes = await needed(bucket).small(thumbKey(id))
  if (bytes === null) return null
  const received = await receiveFile(dataDir, new Blob([bytes]).stream(), bytes.length)
  await mkdir(dirname(path), { recursive: true, mode: OURS_ALONE })
  await rename(received.path, path)
  return path
}

async function bring(bucket: BucketReader, dataDir: string, { id, size, sha256 }: Bytes, path: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const received = await receiveFile(dataDir, bucket.read(id, size), size)
    if (received.sha256 === sha256) {
      await mkdir(dirname(path), { recursive: true, mode: OURS_ALONE })
      // A copy is known by its size: after a power cut there may be as many zeros.
      await syncToDisk(received.path)
      await rename(received.path, path)
      return syncToDisk(dirname(path))
    }
    await rm(received.path, { force: true })
    if (tries === TRIES) throw createFilesAwayError(new Error(`What is kept of ${id} is not what was stored`))
  }
}

/** A copy that was used goes later. */
async function isHere(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found?.size !== size) return false
  const now = new Date()
  if (found.mtimeMs < now.getTime() - NOTE_MS) await utimes(path, now, now).catch(() => {})
  return true
}

const coming = new WeakMap<BucketReader, Map<string, Promise<void>>>()

/** However many want it, it comes once; who is waited for by somebody does not join who has patience. */
async function once(bucket: BucketReader, dataDir: string, file: Bytes, path: string): Promise<void> {
  const ours = coming.get(bucket) ?? new Map<string, Promise<void>>()
  coming.set(bucket, ours)
  const before = ours.get(path) ?? bring(bucket, dataDir, file, path).finally(() => ours.delete(path))
  ours.set(path, before)
  await before
}

function needed<B>(bucket: B | null | undefined): B {
  if (!bucket) throw createFilesAwayError(new Error('Files are kept in a bucket, and S3_* does not name it'))
  return bucket
}

function thumbKey(id: string): string {
  return `${id}.thumb`
}

export function isBucketAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ERR_FILES_AWAY'
}

export async function hashBytes(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}
