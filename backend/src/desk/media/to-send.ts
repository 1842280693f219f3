// Files on their way into messages of tickets and chats: out of a form, or uploaded before. The message that uses one claims it.
import type { RequestBody } from '@balcao/contract'
import { and, eq, or } from 'drizzle-orm'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { ensureLocalFile, ensureLocalThumb, isBucketAway } from './bucket-files.ts'
import { toMediaKind } from './file-type.ts'
import { createMediaStorage, type ReadStorage, toReadStorage } from './storage.ts'
import { findMedia, type ReceivedFile, removeMedia, storeReceivedFile } from './store.ts'
import { type FileToSend, type MediaRow, media } from './table.ts'

/** What the recorder knows of a voice note: its length, and its loudness over time as 0 to 100. */
type Sound = Pick<FileToSend, 'voice' | 'seconds' | 'waveform'>

export const NO_SOUND: Sound = { voice: false, seconds: null, waveform: null }

/** Files of a form as uploads of who sends it (null: of nobody). All are stored before any is used: if one is refused none is. */
export async function storeFiles(
  { db, config }: Pick<Parts, 'config' | 'db'>,
  userId: number | null,
  files: readonly ReceivedFile[],
  most: number,
): Promise<FileToSend[]> {
  if (files.reduce((sum, file) => sum + file.size, 0) > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  const place = createMediaStorage({ db, config })
  const stored: FileToSend[] = []
  try {
    for (const file of files) {
      const { id, ...info } = await storeReceivedFile(place, file, {
        name: file.name,
        declared: file.type,
        most,
        userId,
      })
      stored.push({ ...info, mediaId: id, mediaType: toMediaKind(info.mime), ...NO_SOUND })
    }
    return stored
  } catch (error) {
    const ids = stored.map(file => file.mediaId)
    await removeMedia(place, ids)
    throw error
  }
}

/**
 * An upload of this person for a message in this place; the same sending repeated finds what it claimed again. Throws
 * `ERR_NO_FILE_FOUND`, `ERR_FILE_TOO_LARGE`.
 */
export async function resolveUpload(
  { db, config }: Parts,
  userId: number,
  { uploadId, voice, seconds, waveform }: Recorded & { readonly uploadId: string },
  most: number,
  place: { readonly ticketId: number } | { readonly chatId: number },
): Promise<FileToSend> {
  const known = 'chatId' in place ? eq(media.chatId, place.chatId) : eq(media.ticketId, place.ticketId)
  const theirs = and(eq(media.id, uploadId), eq(media.userId, userId), or(eq(media.owner, 'upload'), known))
  const [row] = await db.select({ size: media.size }).from(media).where(theirs)
  if (!row) throw new AppError('ERR_NO_FILE_FOUND')
  if (row.size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  const sound = voice ? { voice, seconds: seconds ?? null, waveform: waveform ?? null } : NO_SOUND
  return loadFileToSend(toReadStorage(createMediaStorage({ db, config })), uploadId, sound)
}

/** What a message says of a stored file. Throws `ERR_NO_FILE_FOUND`. */
export async function loadFileToSend(
  place: ReadStorage,
  mediaId: string,
  sound: Sound = NO_SOUND,
): Promise<FileToSend> {
  const file = await findMedia(place, mediaId)
  if (!file) throw new AppError('ERR_NO_FILE_FOUND')
  const { name, mime, size } = file
  const mediaType = toMediaKind(mime)
  const picture = mediaType === 'image' ? await describePicture(place, file) : UNSEEN
  const info = { mediaId, mediaType, name, mime, size, ...picture }
  return { ...info, ...(mediaType === 'audio' ? sound : NO_SOUND) }
}

/** The columns of what names one file. */
export function toFileColumns(file: FileToSend | null) {
  const { mediaId = null, mediaType = null, name: mediaName = null } = file ?? {}
  return { mediaId, mediaType, mediaName }
}

type Recorded = Pick<RequestBody<'POST /messages/:ticketId'>, 'voice' | 'seconds' | 'waveform'>

const UNSEEN = { width: null, height: null, thumb: false }

/** How large it is, and whether there is a small one; while the bucket is away nothing is known of it, and the send waits in the outbox. */
async function describePicture(place: ReadStorage, file: MediaRow) {
  try {
    return {
      ...(await measurePicture(await ensureLocalFile(place, file))),
      thumb: (await ensureLocalThumb(place, file)) !== null,
    }
  } catch (error) {
    if (!isBucketAway(error)) throw error
    return UNSEEN
  }
}

/** In pixels; of what cannot be opened nothing is known. */
async function measurePicture(path: string): Promise<{ width: number | null; height: number | null }> {
  try {
    const { width, height } = await new Bun.Image(path).metadata()
    return { width, height }
  } catch {
    return { width: null, height: null }
  }
}

/** The columns of a message that brings a file. */
export function toMessageFileColumns({ mediaId, mediaType, ...info }: FileToSend) {
  // What an older version kept of the file of a send says less.
  const sound = info.voice ? {} : { ...NO_SOUND, seconds: info.seconds ?? null }
  return { mediaId, mediaType, media: { state: 'ready' as const, error: null, ...info, ...sound } }
}
