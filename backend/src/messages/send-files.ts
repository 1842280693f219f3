// Files of a form, or one uploaded before, on their way into messages.
import { type BodyOf, isComment, KIND_TABLE, type Kind, type Message } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Form } from '../media/form.ts'
import { pictureInfo } from '../media/picture.ts'
import { kindOf } from '../media/sniff.ts'
import { keepFile, type MediaPlace, type ReceivedFile, removeMedia } from '../media/store.ts'
import { media } from '../media/table.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { getTicket } from '../tickets/get.ts'
import { checkFits } from './fits.ts'
import { commentWithFile, sendMessage } from './send.ts'
import type { FileToSend, Voice } from './table.ts'

/** Files and the text that goes under the first. */
export interface FilesWithText {
  readonly text: string
  readonly files: readonly ReceivedFile[]
}

/** The text and the files of a multipart sending (`medias`, `body`). */
export function filesOf(form: Form): FilesWithText {
  const files = form.files('medias', 'medias[]')
  if (files.length === 0) throw new AppError('ERR_VALIDATION', [{ path: 'medias', message: 'Escolha um arquivo' }])
  return { text: form.text('body') ?? '', files }
}

/** Sends files, the text under the first one. All are stored before any is sent; if one is refused none is. */
export async function sendFiles(
  parts: Parts,
  session: Session,
  ticketId: number,
  { text, files }: FilesWithText,
): Promise<Message[]> {
  if (isComment(text)) throw commentWithFile()
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  const most = KIND_TABLE[whatsapp.api].most.files
  const total = files.reduce((sum, file) => sum + file.size, 0)
  if (total > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  const ready: FileToSend[] = []
  const messages: Message[] = []
  try {
    for (const file of files) {
      const owner = { owner: 'upload', userId: session.viewer.id, ticketId } as const
      const stored = await keepFile(place, file, { name: file.name, declared: file.type, most, ...owner })
      ready.push({ ...stored, mediaId: stored.id, mediaType: kindOf(stored.mime), voice: null })
    }
    const caption = ready[0]?.mediaType === 'audio' ? '' : text
    if (caption === '') checkFits(whatsapp.api, { type: 'text', text })
    for (const [at, file] of ready.entries()) {
      messages.push(await sendMessage(parts, session, ticketId, { body: at === 0 ? caption : '', file }))
    }
    if (caption === '' && text.trim() !== '') messages.push(await sendMessage(parts, session, ticketId, { body: text }))
    return messages
  } catch (error) {
    await removeMedia(
      place,
      ready.slice(messages.length).map(file => file.mediaId),
    )
    throw error
  }
}

/** An upload of this person for a message in this ticket, which claims it; the same sending repeated finds it again. Throws `ERR_NO_FILE_FOUND`, `ERR_FILE_TOO_LARGE`. */
export async function uploadedFile(
  parts: Parts,
  session: Session,
  ticketId: number,
  uploadId: string,
  voice: Voice | null,
): Promise<FileToSend> {
  await getTicket(parts.db, session, ticketId)
  const [row] = await sqlOf(parts.db)<{ size: number; api: Kind }[]>`
    select m.size::float8 as size, w.api
    from media m, ticket t join whatsapp w on w.id = t.whatsapp_id
    where m.id = ${uploadId} and m.user_id = ${session.viewer.id} and m.owner in ('upload', 'message')
      and (m.owner = 'upload' or m.ticket_id = ${ticketId}) and t.id = ${ticketId}`
  if (!row) throw new AppError('ERR_NO_FILE_FOUND')
  const most = KIND_TABLE[row.api].most.files
  if (row.size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  return fileToSend({ db: parts.db, dataDir: parts.config.dataDir }, uploadId, voice)
}

/** What a message says of a stored file. Throws `ERR_NO_FILE_FOUND`. */
export async function fileToSend(place: MediaPlace, mediaId: string, voice: Voice | null = null): Promise<FileToSend> {
  const stored = { name: media.name, mime: media.mime, size: media.size }
  const [row] = await place.db.select(stored).from(media).where(eq(media.id, mediaId))
  if (!row) throw new AppError('ERR_NO_FILE_FOUND')
  const mediaType = kindOf(row.mime)
  const isPicture = mediaType === 'image'
  const picture = isPicture ? await pictureInfo(place, mediaId) : { width: null, height: null, thumb: false }
  return { mediaId, mediaType, ...row, voice: mediaType === 'audio' ? voice : null, ...picture }
}

/** What a sending says of the voice note it carries; null when it carries none. */
export function voiceOf(
  body: Pick<BodyOf<'POST /messages/:ticketId'>, 'voice' | 'seconds' | 'waveform'>,
): Voice | null {
  return body.voice ? { seconds: body.seconds ?? null, waveform: body.waveform ?? null } : null
}
