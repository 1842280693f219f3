// Files of messages, contacts, quick answers and uploads: streamed to a folder, never held whole in memory.
import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { cleanFileName, toSafeFileName } from '@balcao/contract'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { createFilesAwayError } from './bucket.ts'
import { ensureLocalFile, isBucketAway, removeFromBucket, uploadNow, waitBriefly } from './bucket-files.ts'
import { OtherDeskError, ownsBucket } from './bucket-owner.ts'
import { toNoSpaceError } from './disk-space.ts'
import { detectFileType, rejectFalsePictures, toMediaKind } from './file-type.ts'
import { getMediaPath, getThumbPath, OURS_ALONE, type ReceivedBytes, receiveFile, removeFrom } from './folder.ts'
import { type MediaStorage, type ReadStorage, toReadStorage } from './storage.ts'
import { type MediaRow, media } from './table.ts'

export interface NewMedia {
  readonly name: string
  /** The type the sender claims; only used to refuse what is not what it says. */
  readonly declared?: string
  /** Whose upload it is; nobody's when it came from outside. */
  readonly userId?: number | null
  /** A customer named it: its accents stay. */
  readonly isReceived?: true
  /** Most bytes allowed; more ends in `ERR_FILE_TOO_LARGE` and leaves nothing behind. */
  readonly most: number
}

export interface StoredMedia {
  readonly id: string
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  /** Whether there is a small picture of it at `/media/{id}?thumb=1`. */
  readonly thumb: boolean
}

const THUMB_SIDE = 480
/** A picture of more pixels is not opened: a small file may unpack to gigabytes. */
const MOST_PIXELS = 60_000_000

/** A file of a form, as its sender names it. */
export interface ReceivedFile extends ReceivedBytes {
  readonly name: string
  readonly type: string
}

/** Stores a file as it streams in, as an upload that is part of nothing yet. Throws `ERR_FILE_TOO_LARGE`, `ERR_FILE_TYPE`, `ERR_NO_SPACE`, `ERR_VALIDATION` for an empty one. */
export async function storeMedia(
  place: MediaStorage,
  bytes: AsyncIterable<Uint8Array>,
  media: NewMedia,
): Promise<StoredMedia> {
  return storeReceivedFile(place, await receiveFile(place.dataDir, bytes, media.most), media)
}

/** Makes bytes that were received a stored file; throws as `storeMedia` does. What is not kept is gone. */
export async function storeReceivedFile(
  place: MediaStorage,
  received: ReceivedBytes,
  media: NewMedia,
): Promise<StoredMedia> {
  const stored = await intoFolder(place, received, media)
  await uploadNow(place, { ...stored, sha256: received.sha256, keptIn: 'waiting' })
  return stored
}

async function intoFolder(place: MediaStorage, received: ReceivedBytes, file: NewMedia): Promise<StoredMedia> {
  const id = randomBytes(18).toString('base64url')
  const path = getMediaPath(place.dataDir, id)
  const { size, sha256, head } = received
  try {
    if (size === 0) throw createFieldError('file', 'call.fileEmpty')
    if (size > file.most) throw new AppError('ERR_FILE_TOO_LARGE', { most: file.most })
    const name = file.isReceived ? cleanFileName(file.name) : toSafeFileName(file.name)
    const mime = await detectFileType(head, name)
    rejectFalsePictures(file.name, file.declared ?? '', mime)
    await mkdir(dirname(path), { recursive: true, mode: OURS_ALONE })
    await rename(received.path, path)
    const picture = toMediaKind(mime) === 'image' ? await makeThumb(path) : null
    const { userId = null } = file
    const keptIn = place.bucket ? 'waiting' : 'folder'
    await place.db.insert(media).values({ id, name, mime, size, sha256, owner: 'upload', userId, keptIn })
    const { width = null, height = null } = picture ?? {}
    return { id, name, mime, size, width, height, thumb: picture?.thumb ?? false }
  } catch (error) {
    for (const left of [received.path, path, getThumbPath(path)]) await rm(left, { force: true })
    throw toNoSpaceError(error)
  }
}

export interface OpenMedia extends MediaRow {
  readonly path: string
  readonly thumbPath: string
}

/** What a stored file is; null when there is none. */
export async function findMedia({ db }: Pick<MediaStorage, 'db'>, id: string): Promise<MediaRow | null> {
  if (!/^[A-Za-z0-9_-]{10,64}$/.test(id)) return null
  const [row] = await db
    .select()
    .from(media)
    .where(and(eq(media.id, id), ne(media.owner, 'gone')))
  return row ?? null
}

/** What a stored file is and where it lies at hand; null when there is none. Throws `ERR_FILES_AWAY`, `ERR_NO_SPACE`. */
export async function openMedia(place: ReadStorage, id: string): Promise<OpenMedia | null> {
  const row = await findMedia(place, id)
  if (!row) return null
  try {
    const path = await ensureLocalFile(place, row)
    return { ...row, path, thumbPath: getThumbPath(path) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'ERR_NO_FILE_FOUND') return null
    throw error
  }
}

/**
 * Brings files to this machine for a send; false while the bucket that keeps them is away: the send comes again, and holds up no other
 * meanwhile. One that is nowhere is missed by who opens it.
 */
export async function ensureLocalFiles(place: MediaStorage, ids: readonly string[]): Promise<boolean> {
  try {
    for (const id of ids) await openMedia(toReadStorage(place), id)
    return true
  } catch (error) {
    if (!isBucketAway(error)) throw error
    return false
  }
}

/** Removes files and their rows; what the bucket does not let go now the sweep removes. */
export async function removeMedia(place: MediaStorage, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await place.db
    .update(media)
    .set({ owner: 'gone' })
    .where(inArray(media.id, [...ids]))
  await waitBriefly(removeGone(place, ids))
}

/**
 * Removes the bytes of files that are gone, then their rows: a row is there until nothing is left of its file. From a bucket that is another
 * desk's nothing is removed. Throws `ERR_FILES_AWAY`.
 */
export async function removeGone({ db, dataDir, bucket }: MediaStorage, ids: readonly string[]): Promise<void> {
  const gone = await db
    .select()
    .from(media)
    .where(and(eq(media.owner, 'gone'), inArray(media.id, [...ids])))
  const isOwn = bucket ? await ownsBucket({ db }, bucket) : false
  const removed: string[] = []
  const faults: unknown[] = []
  for (const { id, keptIn } of gone)
    try {
      await removeFrom(dataDir, id)
      if (bucket && isOwn) await removeFromBucket(bucket, id)
      else if (bucket && keptIn === 's3') throw createFilesAwayError(new OtherDeskError())
      else if (!bucket && keptIn !== 'folder')
        throw createFilesAwayError(new Error('Files are kept in a bucket, and S3_* does not name it'))
      removed.push(id)
    } catch (error) {
      faults.push(error)
      if (faults.length === MOST_FAULTS) break
    }
  await db.delete(media).where(and(eq(media.owner, 'gone'), inArray(media.id, removed)))
  if (faults.length > 0) throw faults[0]
}

/** A bucket that does not answer is asked so often. */
const MOST_FAULTS = 3

/** A small picture beside the file. What cannot be opened as a picture simply has none. */
async function makeThumb(path: string): Promise<{ width: number; height: number; thumb: boolean } | null> {
  try {
    const { width, height } = await new Bun.Image(path).metadata()
    if (width * height > MOST_PIXELS) return { width, height, thumb: false }
    const small = await new Bun.Image(path)
      .resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .bytes()
    await Bun.write(getThumbPath(path), small)
    return { width, height, thumb: true }
  } catch {
    await rm(getThumbPath(path), { force: true })
    return null
  }
}
