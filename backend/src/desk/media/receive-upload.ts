// An upload: one file as the raw body, good for one message within 24 hours.
import { KIND_TABLE, type Kind, LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { streamChunks } from '../../platform/http/body.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { checkServes, loadVisibleFacts } from '../../policy/access/ticket-facts.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadReadableChat } from '../chats/access.ts'
import { toMediaKind } from './file-type.ts'
import { createMediaStorage } from './storage.ts'
import { storeMedia } from './store.ts'
import { convertToVoiceNote } from './voice-note.ts'

/** Streams a file to the store. Throws `ERR_FILE_TOO_LARGE` (413), `ERR_FILE_TYPE`, `ERR_NO_PERMISSION` for a hidden ticket or chat. */
export async function receiveUpload(
  parts: Parts,
  session: Session,
  request: Request,
  { name, ticketId, chatId, voice }: QueryParams<'PUT /uploads'>,
): Promise<ResponseBody<'PUT /uploads'>> {
  if (chatId !== undefined) await loadReadableChat(parts.db, session, chatId)
  const most =
    chatId !== undefined
      ? LIMITS.chatAttachments
      : ticketId === undefined
        ? LIMITS.body
        : await findUploadLimit(parts, session, ticketId)
  const announced = Number(request.headers.get('content-length') ?? '0')
  if (announced > LIMITS.body) throw new AppError('ERR_BODY_TOO_LARGE')
  if (announced > most) throw new AppError('ERR_FILE_TOO_LARGE', { most })
  if (!request.body) throw createFieldError('file', 'call.fileEmpty')
  const declared = request.headers.get('content-type') ?? ''
  const place = createMediaStorage(parts)
  const options = { name, most, userId: session.viewer.id }
  const received = await storeMedia(place, streamChunks(request), { ...options, declared })
  const stored = voice === 'true' ? await convertToVoiceNote(place, received, options) : received
  const { id: uploadId, mime, size } = stored
  return { uploadId, name: stored.name, mime, size, mediaType: toMediaKind(mime) }
}

/** The limit of the ticket's kind of connection (spec 1 §5). */
async function findUploadLimit(parts: Parts, session: Session, ticketId: number): Promise<number> {
  checkServes(session, await loadVisibleFacts(parts.db, session, ticketId))
  const [row] = await getSql(parts.db)<{ api: Kind }[]>`
    select w.api from ticket t join whatsapp w on w.id = t.whatsapp_id where t.id = ${ticketId}`
  if (!row) throw new AppError('ERR_NO_TICKET_FOUND')
  return KIND_TABLE[row.api].most.files
}
