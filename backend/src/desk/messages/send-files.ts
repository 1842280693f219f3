// Files of a form on their way into messages.
import { isComment, KIND_TABLE, type Message } from '@balcao/contract'
import { createFieldError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { UploadForm } from '../media/form.ts'
import { createMediaStorage } from '../media/storage.ts'
import type { ReceivedFile } from '../media/store.ts'
import { storeFiles } from '../media/to-send.ts'
import { getTicket } from '../tickets/get.ts'
import { toContentColumns, toMessageContents } from './content.ts'
import { checkFile, checkFits } from './fits.ts'
import { createCommentFileError, sendMessage } from './send.ts'

/** Files and the text that goes under the first. */
export interface FilesWithText {
  readonly text: string
  readonly files: readonly ReceivedFile[]
}

/** The text and the files of a multipart sending (`medias`, `body`). */
export function readFormFiles(form: UploadForm): FilesWithText {
  const files = form.files('medias', 'medias[]')
  if (files.length === 0) throw createFieldError('medias', 'call.file')
  return { text: form.text('body') ?? '', files }
}

/** Sends files, the text under the first one. If one is refused none is sent. */
export async function sendFiles(
  parts: Parts,
  session: Session,
  ticketId: number,
  { text, files }: FilesWithText,
): Promise<Message[]> {
  if (isComment(text)) throw createCommentFileError()
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  const ready = await storeFiles(parts, session.viewer.id, files, KIND_TABLE[whatsapp.api].most.files)
  const contents = toMessageContents(text, ready)
  for (const { payload } of contents.map(toContentColumns)) {
    checkFits(whatsapp.api, payload)
    await checkFile(createMediaStorage(parts), whatsapp.api, payload)
  }
  const messages: Message[] = []
  for (const { body, file } of contents)
    messages.push(await sendMessage(parts, session, ticketId, { body, file: file ?? undefined }))
  return messages
}
