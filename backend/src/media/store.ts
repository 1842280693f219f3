// Files of messages, contacts, quick answers and uploads: streamed to a folder, never held whole in memory.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MB, safeFileName } from '@balcao/contract'
import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../database/client.ts'
import { AppError, wrongField } from '../http/errors.ts'
import { asNoSpace, needRoom } from './room.ts'
import { kindOf, refuseFalsePictures, SNIFF_BYTES, sniff } from './sniff.ts'
import { type MediaOwner, media } from './table.ts'

export interface MediaPlace {
  readonly db: Db
  /** The folder DATA_DIR. */
  readonly dataDir: string
}

export interface NewMedia {
  readonly name: string
  /** The type the sender claims; only used to refuse what is not what it says. */
  readonly declared?: string
  /** Whose upload it is; nobody's when it came from outside. */
  readonly userId?: number | null
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

/** Where files lie that belong to nothing yet, and for long only after a crash. */
const INCOMING = 'incoming'

const THUMB_SIDE = 480
/** A picture of more pixels is not opened: a small file may unpack to gigabytes. */
const MOST_PIXELS = 60_000_000

/** Bytes on the disk that belong to nothing yet. */
export interface ReceivedBytes {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** The first of them, which tell the type. */
  readonly head: Uint8Array
}

/** A file of a form, as its sender names it. */
export interface ReceivedFile extends ReceivedBytes {
  readonly name: string
  readonly type: string
}

/** Stores a file as it streams in, as an upload that is part of nothing yet. Throws `ERR_FILE_TOO_LARGE`, `ERR_FILE_TYPE`, `ERR_NO_SPACE`, `ERR_VALIDATION` for an empty one. */
export async function storeMedia(
  place: MediaPlace,
  bytes: AsyncIterable<Uint8Array>,
  given: NewMedia,
): Promise<StoredMedia> {
  return keepFile(place, await receiveFile(place.dataDir, bytes, given.most), given)
}

/** Makes bytes that were received a stored file; throws as `storeMedia` does. What is not kept is gone. */
export async function keepFile(place: MediaPlace, received: ReceivedBytes, given: NewMedia): Promise<StoredMedia> {
  const id = randomBytes(18).toString('base64url')
  const path = pathOf(place.dataDir, id)
  const { size, sha256, head } = received
  try {
    if (size === 0) throw wrongField('file', 'O arquivo está vazio')
    if (size > given.most) throw new AppError('ERR_FILE_TOO_LARGE', { most: given.most })
    const name = safeFileName(given.name)
    const mime = await sniff(head, name)
    refuseFalsePictures(given.name, given.declared ?? '', mime)
    await mkdir(dirname(path), { recursive: true })
    await rename(received.path, path)
    const picture = kindOf(mime) === 'image' ? await makeThumb(path) : null
    const { userId = null } = given
    await place.db.insert(media).values({ id, name, mime, size, sha256, owner: 'upload', userId })
    const { width = null, height = null } = picture ?? {}
    return { id, name, mime, size, width, height, thumb: picture?.thumb ?? false }
  } catch (error) {
    for (const left of [received.path, path, thumbPathOf(path)]) await rm(left, { force: true })
    throw asNoSpace(error)
  }
}

/** Writes bytes to the disk as they come. Throws `ERR_FILE_TOO_LARGE` beyond `most`, `ERR_NO_SPACE`; then nothing is left of them. */
export async function receiveFile(
  dataDir: string,
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): Promise<ReceivedBytes> {
  const folder = join(dataDir, 'media', INCOMING)
  const path = join(folder, randomBytes(18).toString('base64url'))
  try {
    await mkdir(folder, { recursive: true })
    return { path, ...(await writeFile(dataDir, bytes, path, most)) }
  } catch (error) {
    await rm(path, { force: true })
    throw asNoSpace(error)
  }
}

export interface OpenMedia {
  readonly id: string
  readonly path: string
  readonly thumbPath: string
  readonly name: string
  readonly mime: string
  readonly size: number
  readonly owner: MediaOwner
  readonly userId: number | null
  readonly ticketId: number | null
  readonly chatId: number | null
}

/** Where a stored file lies and what it is; null when there is none. */
export async function openMedia({ db, dataDir }: MediaPlace, id: string): Promise<OpenMedia | null> {
  if (!/^[A-Za-z0-9_-]{10,64}$/.test(id)) return null
  const [row] = await db.select().from(media).where(eq(media.id, id))
  const path = pathOf(dataDir, id)
  return row ? { ...row, path, thumbPath: thumbPathOf(path) } : null
}

/** Removes files and their rows. */
export async function removeMedia({ db, dataDir }: MediaPlace, ids: readonly string[]): Promise<void> {
  await db.delete(media).where(inArray(media.id, [...ids]))
  for (const id of ids) {
    const path = pathOf(dataDir, id)
    await rm(path, { force: true })
    await rm(thumbPathOf(path), { force: true })
  }
}

/** Removes what was received and kept by nobody for this long: whoever received it is gone. */
export async function sweepIncoming(dataDir: string, olderThanMs: number): Promise<void> {
  const folder = join(dataDir, 'media', INCOMING)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true })
  }
}

/** Where the file of an id lies, if there is one. */
export function pathOf(dataDir: string, id: string): string {
  return join(dataDir, 'media', id.slice(0, 2), id)
}

function thumbPathOf(path: string): string {
  return `${path}.thumb`
}

/** How much is written before the disk is looked at again: others write too. */
const LOOK_EVERY = 4 * MB

async function writeFile(dataDir: string, stream: AsyncIterable<Uint8Array>, path: string, most: number) {
  const file = await open(path, 'wx')
  const hash = createHash('sha256')
  const heads: Uint8Array[] = []
  let size = 0
  let lookAt = 0
  try {
    for await (const chunk of stream) {
      if (size < SNIFF_BYTES) heads.push(Buffer.copyBytesFrom(chunk, 0, SNIFF_BYTES - size))
      size += chunk.byteLength
      if (size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
      if (size > lookAt) {
        await needRoom(dataDir)
        lookAt = size + LOOK_EVERY
      }
      hash.update(chunk)
      for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten
    }
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(heads) }
}

/** A small picture beside the file. What cannot be opened as a picture simply has none. */
async function makeThumb(path: string): Promise<{ width: number; height: number; thumb: boolean } | null> {
  try {
    const { width, height } = await new Bun.Image(path).metadata()
    if (width * height > MOST_PIXELS) return { width, height, thumb: false }
    const small = await new Bun.Image(path)
      .resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .bytes()
    await Bun.write(thumbPathOf(path), small)
    return { width, height, thumb: true }
  } catch {
    await rm(thumbPathOf(path), { force: true })
    return null
  }
}
