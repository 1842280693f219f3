// Files on their way into an internal chat: of a form, or uploaded before.
import { type ChatMessage, LIMITS, mayWriteChat } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError, noAccessTo } from '../http/errors.ts'
import { pictureInfo } from '../media/picture.ts'
import { kindOf } from '../media/sniff.ts'
import { keepFile, removeMedia } from '../media/store.ts'
import type { FilesWithText } from '../messages/send-files.ts'
import type { FileToSend, Voice } from '../messages/table.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { chatToRead } from './access.ts'
import { sendChatMessage } from './send.ts'

/** Sends files, the text under the first one. All are stored before any is sent; if one is refused none is. */
export async function sendChatFiles(
  parts: Parts,
  session: Session,
  chatId: number,
  { text, files }: FilesWithText,
): Promise<ChatMessage[]> {
  await checkMayWrite(parts, session, chatId)
  const most = LIMITS.chatAttachments
  if (files.reduce((sum, file) => sum + file.size, 0) > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  const ready: FileToSend[] = []
  const messages: ChatMessage[] = []
  try {
    for (const file of files) {
      const owner = { owner: 'upload', userId: session.viewer.id } as const
      const stored = await keepFile(place, file, { name: file.name, declared: file.type, most, ...owner })
      ready.push({ ...stored, mediaId: stored.id, mediaType: kindOf(stored.mime), voice: null })
    }
    for (const [at, file] of ready.entries())
      messages.push(await sendChatMessage(parts, session, chatId, { body: at === 0 ? text : '', file }))
    return messages
  } catch (error) {
    await removeMedia(
      place,
      ready.slice(messages.length).map(file => file.mediaId),
    )
    throw error
  }
}

/** An upload of this person for a message in this chat, which claims it; the same sending repeated finds it again. Throws `ERR_NO_FILE_FOUND`, `ERR_FILE_TOO_LARGE`. */
export async function uploadedChatFile(
  parts: Parts,
  session: Session,
  chatId: number,
  uploadId: string,
  voice: Voice | null,
): Promise<FileToSend> {
  await checkMayWrite(parts, session, chatId)
  const sql = sqlOf(parts.db)
  const most = LIMITS.chatAttachments
  const [row] = await sql<{ name: string; mime: string; size: number }[]>`
    select name, mime, size::float8 as size from media
    where id = ${uploadId} and user_id = ${session.viewer.id}
      and (owner = 'upload' or (owner = 'chat' and chat_id = ${chatId}))`
  if (!row) throw new AppError('ERR_NO_FILE_FOUND')
  if (row.size > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  const mediaType = kindOf(row.mime)
  const place = { db: parts.db, dataDir: parts.config.dataDir }
  const picture =
    mediaType === 'image' ? await pictureInfo(place, uploadId) : { width: null, height: null, thumb: false }
  return { mediaId: uploadId, mediaType, ...row, voice: mediaType === 'audio' ? voice : null, ...picture }
}

/** Before anything is stored; the sending itself asks again under the lock. */
async function checkMayWrite(parts: Parts, session: Session, chatId: number): Promise<void> {
  const chat = await chatToRead(parts.db, session, chatId)
  if (!mayWriteChat(session.viewer, chat)) throw noAccessTo('chat')
}
