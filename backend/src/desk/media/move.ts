// Every file into the bucket, or back into the folder (`npm run files -- move`). It may be ended at any moment and begun again: a file is
// noted to be kept elsewhere only once it was read there whole, and what is not noted is moved the next time.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { Bucket } from './bucket.ts'
import {
  ensureLocalFile,
  ensureLocalThumb,
  hashBytes,
  isBucketAway,
  removeFromBucket,
  type UploadResult,
  uploadToBucket,
} from './bucket-files.ts'
import { checkBucketOwnership, ownsBucket } from './bucket-owner.ts'
import { toMediaKind } from './file-type.ts'
import { getMediaPath, getThumbPath, syncToDisk } from './folder.ts'
import type { MediaStorage } from './storage.ts'
import { type MediaRow, media, type StorageLocation } from './table.ts'

export interface MoveOptions {
  readonly to: 's3' | 'folder'
  readonly signal?: AbortSignal
  /** After each file. */
  readonly progress?: (done: MoveProgress, total: number) => void
}

export interface MoveProgress {
  moved: number
  bytes: number
  /** Whose bytes are not on this machine, or nowhere. */
  missing: number
  /** Whose bytes are not what was stored: they stay where they are. */
  damaged: number
}

const PAGE = 100
/** Who is told to end does not wait longer for the bucket. */
const GRACE_MS = 3000

/**
 * Moves files one after the other until all are there, or it is told to end: the one that is on its way has some seconds then. Throws
 * `ERR_FILES_AWAY` when the bucket is away.
 */
export async function moveFiles(storage: MediaStorage, { to, signal, progress }: MoveOptions): Promise<MoveProgress> {
  const { db, bucket } = storage
  if (!bucket) throw new Error('S3_* names no bucket')
  const cut = graceAfter(signal)
  const far = bucket.until(cut.signal)
  const place = { ...storage, bucket: far }
  const from: StorageLocation[] = to === 's3' ? ['folder', 'waiting'] : ['s3', 'waiting']
  const elsewhere = and(inArray(media.keptIn, from), ne(media.owner, 'gone'))
  const total = await db.$count(media, elsewhere)
  const done: MoveProgress = { moved: 0, bytes: 0, missing: 0, damaged: 0 }
  const move = to === 's3' ? uploadToBucket : intoFolder
  try {
    if (to === 's3') await checkBucketOwnership(place, far)
    for (let last = ''; ; ) {
      const rows = await db
        .select()
        .from(media)
        .where(and(elsewhere, gt(media.id, last)))
        .orderBy(asc(media.id))
        .limit(PAGE)
      for (const row of rows) {
        if (signal?.aborted) return done
        const outcome = await move(place, far, row)
        if (outcome === 'kept') {
          done.moved++
          done.bytes += row.size
        } else done[outcome]++
        progress?.({ ...done }, total)
      }
      const end = rows.at(-1)
      if (!end) return done
      last = end.id
    }
  } catch (error) {
    // It was not there in time: the next run moves it.
    if (cut.signal.aborted && isBucketAway(error)) return done
    throw error
  } finally {
    cut.forget()
  }
}

/** A signal that follows another one some seconds later. */
function graceAfter(signal?: AbortSignal) {
  const cut = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => cut.abort(), GRACE_MS)
  }
  signal?.addEventListener('abort', begin, { once: true })
  if (signal?.aborted) begin()
  return {
    signal: cut.signal,
    forget() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', begin)
    },
  }
}

async function intoFolder(place: MediaStorage, far: Bucket, row: MediaRow): Promise<UploadResult> {
  try {
    const path = getMediaPath(place.dataDir, row.id)
    if (row.keptIn === 's3') await bringBack(place, row)
    if (!existsSync(path)) return 'missing'
    // A copy of the right size may be another one: what comes from the bucket was compared.
    if ((await hashBytes(Bun.file(path).stream())) !== row.sha256) {
      if (row.keptIn !== 's3') return 'damaged'
      await rm(path)
      await bringBack(place, row)
    }
    for (const stored of [path, getThumbPath(path)]) if (existsSync(stored)) await syncToDisk(stored, dirname(stored))
  } catch (error) {
    if (isBucketAway(error)) throw error
    return 'missing'
  }
  // While it goes from the bucket it waits here: no sweep takes the copy, and whoever ends now is followed by a run that sees it again.
  if (!(await note(place, row, [row.keptIn], 'waiting'))) return 'missing'
  if (await ownsBucket(place, far)) await removeFromBucket(far, row.id)
  // A server may just have put it there once more, before it was removed.
  return (await note(place, row, ['waiting', 's3'], 'folder')) ? 'kept' : 'missing'
}

/** Whether it was still kept where it is thought to be. */
async function note(
  { db }: MediaStorage,
  { id }: MediaRow,
  from: readonly StorageLocation[],
  to: StorageLocation,
): Promise<boolean> {
  const wanted = and(eq(media.id, id), inArray(media.keptIn, [...from]), ne(media.owner, 'gone'))
  return (await db.update(media).set({ keptIn: to }).where(wanted).returning({ id: media.id })).length > 0
}

async function bringBack(place: MediaStorage, row: MediaRow): Promise<void> {
  await ensureLocalFile(place, row)
  if (toMediaKind(row.mime) === 'image') await ensureLocalThumb(place, row)
}

/** How many files are kept where, and how large they are. */
export async function countFiles({
  db,
}: Pick<MediaStorage, 'db'>): Promise<Record<StorageLocation, { files: number; bytes: number }>> {
  const rows = await db
    .select({
      keptIn: media.keptIn,
      files: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(${media.size}), 0)::float8`,
    })
    .from(media)
    .where(ne(media.owner, 'gone'))
    .groupBy(media.keptIn)
  const none = { files: 0, bytes: 0 }
  return {
    ...{ folder: none, waiting: none, s3: none },
    ...Object.fromEntries(rows.map(({ keptIn, files, bytes }) => [keptIn, { files, bytes }])),
  }
}
