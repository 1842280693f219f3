// Files of a form on their way into messages.
import { isComment, KIND_TABLE, type Message } from '@balcao/contract'
import { createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toOwnClientId } from '../../policy/sessions/known-sessions.ts'
import type { UploadForm } from '../media/form.ts'
import { createMediaStorage } from '../media/storage.ts'
import type { ReceivedFile } from '../media/store.ts'
import { storeFiles } from '../media/to-send.ts'
import { getTicket } from '../tickets/get.ts'
import { toContentColumns, toMessageContents } from './content.ts'
import { checkFile, checkFits } from './fits.ts'
import { createCommentFileError, placeMessage } from './send.ts'

/** Files and the text that goes under the first. The same `clientId` again gives the same messages. */
export interface FilesWithText {
  readonly text: string
  readonly clientId?: string | undefined
  readonly files: readonly ReceivedFile[]
}

/** The text and the files of a multipart sending (`medias`, `body`, `clientId`). */
export function readFormFiles(form: UploadForm): FilesWithText {
  const files = form.files('medias', 'medias[]')
  if (files.length === 0) throw createFieldError('medias', 'call.file')
  const clientId = form.text('clientId') || undefined
  if (clientId !== undefined && clientId.length > LONGEST_CLIENT_ID)
    throw createFieldError('clientId', 'schema.fieldInvalid')
  return { text: form.text('body') ?? '', clientId, files }
}

/** As the contract has it where the body is JSON. */
const LONGEST_CLIENT_ID = 64

/** Of each file's message: the first has the sender's own. */
export function numberClientId(session: Session, clientId: string | undefined, at: number): string | undefined {
  const own = toOwnClientId(session, clientId)
  return own === undefined || at === 0 ? own : `${own}/${at}`
}

/** Sends files, the text under the first one. If one is refused none is sent. */
export async function sendFiles(
  parts: Parts,
  session: Session,
  ticketId: number,
  { text, clientId, files }: FilesWithText,
): Promise<Message[]> {
  if (isComment(text)) throw createCommentFileError()
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  const ready = await storeFiles(parts, session.viewer.id, files, KIND_TABLE[whatsapp.api].most.files)
  const contents = toMessageContents(text, ready)
  for (const { payload } of contents.map(toContentColumns)) {
    checkFits(whatsapp.api, payload)
    await checkFile(createMediaStorage(parts), whatsapp.api, payload)
  }
  return change(parts, async tx => {
    const messages: Message[] = []
    for (const [at, { body, file }] of contents.entries()) {
      const sending = { body, file: file ?? undefined, clientId: numberClientId(session, clientId, at) }
      messages.push(await placeMessage(tx, session, ticketId, sending))
    }
    return messages
  })
}
