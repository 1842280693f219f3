// What a kind of connection takes, of texts and of files: the rest is refused where it is written, not days later by the provider.
import { findFileFormat, KIND_TABLE, type Kind, LIMITS } from '@balcao/contract'
import type { Outgoing } from '../../platform/channel/driver.ts'
import { hasFfmpeg } from '../../platform/ffmpeg.ts'
import { AppError } from '../../platform/http/errors.ts'
import { isBucketAway } from '../media/bucket-files.ts'
import { findFileForm } from '../media/file-form.ts'
import { type MediaStorage, toReadStorage } from '../media/storage.ts'
import { openMedia } from '../media/store.ts'

type FileToSend = Extract<Outgoing, { type: 'media' }>

/**
 * Throws `ERR_TEXT_TOO_LONG` for a text, a caption or a template's field that is longer than the kind takes, `ERR_FILE_TYPE` for a file
 * it can send in no form.
 */
export function checkFits(kind: Kind, payload: Outgoing): void {
  if (payload.type === 'text' || payload.type === 'edit') check(payload.text, KIND_TABLE[kind].most.text)
  if (payload.type === 'media') {
    check(payload.caption ?? '', KIND_TABLE[kind].most.caption)
    if (!canSendFile(kind, payload)) throw new AppError('ERR_FILE_TYPE', { name: payload.name, type: payload.mime })
  }
  if (payload.type === 'template')
    for (const text of collectTexts(payload.components)) check(text, LIMITS.templateField)
}

/** Whether this kind takes the file in any form, as far as its type says. */
export function canSendFile(kind: Kind, { media, mime }: Pick<FileToSend, 'media' | 'mime'>): boolean {
  const way = findFileFormat(kind, media, mime)
  return (
    way !== null &&
    (!way.isMade || way.as !== 'audio' || hasFfmpeg() || findFileFormat(kind, 'application', mime) !== null)
  )
}

/**
 * The same by the file's bytes: a film nobody can read, an animation that would lose its movement. Throws `ERR_FILE_TYPE`. While the
 * bucket that keeps the file is away nothing is known of it, and the send looks.
 */
export async function checkFile(place: MediaStorage, kind: Kind, payload: Outgoing): Promise<void> {
  if (payload.type === 'media' && !(await canSendBytes(place, kind, payload)))
    throw new AppError('ERR_FILE_TYPE', { name: payload.name, type: payload.mime })
}

/** Whether this kind takes the file in any form, as its bytes say. */
export async function canSendBytes(place: MediaStorage, kind: Kind, file: Omit<FileToSend, 'type'>): Promise<boolean> {
  if (!canSendFile(kind, file)) return false
  try {
    const stored = await openMedia(toReadStorage(place), file.mediaId)
    return stored === null || (await findFileForm(kind, stored.path, file)) !== null
  } catch (error) {
    if (isBucketAway(error)) return true
    throw error
  }
}

function check(text: string, most: number): void {
  if (text.length > most) throw new AppError('ERR_TEXT_TOO_LONG', { most, length: text.length })
}

/** The values somebody filled in: `{ type: 'text', text }`, wherever they stand. */
function collectTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'text' && typeof inner === 'string' ? [inner] : collectTexts(inner),
  )
}
