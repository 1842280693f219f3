// Sending for other programs: number in, message out, and no second message for a request that comes twice (decisions §5).
import { createHash } from 'node:crypto'
import { endpoints, KIND_TABLE, type Message, type ResponseBody } from '@balcao/contract'
import { resolveContact } from '../../desk/contacts/identity.ts'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { removeMedia } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { storeFiles } from '../../desk/media/to-send.ts'
import { checkFile } from '../../desk/messages/fits.ts'
import { checkSendable, writeMessage } from '../../desk/messages/write.ts'
import { checkAssignee, lockQueueName } from '../../desk/tickets/change.ts'
import { findOrCreateTicket } from '../../desk/tickets/find-or-create.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { storeAnswer } from '../../platform/http/idempotency.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { checkServes, loadVisibleFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toWriter } from '../../policy/users/viewer.ts'
import { checkContents, toMessages } from './contents.ts'
import { findPreviousAnswer } from './limits.ts'
import type { ApiSendRequest } from './request.ts'
import { resolveTarget, type SendTarget } from './target.ts'

const checkAnswer = createValidator(endpoints['POST /api/messages/send'].answer)
type Answer = ResponseBody<'POST /api/messages/send'>
/** As whom the one token of the settings acts. */
const NOBODY = { id: 0 }

export interface ApiAnswer {
  readonly answer: Answer
  /** The request had come before; nothing was sent. */
  readonly repeated: boolean
}

/** Sends; refusals as the contract's description of this call lists them. Files are stored first, everything else is one transaction. */
export async function sendByApi(
  parts: Parts,
  session: Session | null,
  sending: ApiSendRequest,
  ownKey: string | null,
): Promise<ApiAnswer> {
  if (sending.userId !== undefined && sending.queueId === undefined) throw createFieldError('queueId', 'call.queue')
  const target = await resolveTarget(parts, session, sending)
  const { api: kind } = target.connection
  checkContents(sending, kind)
  // Another program's key is another key: its answer is told to nobody else.
  const key = ownKey && toStoredKey(session, ownKey)
  const fingerprint = fingerprintRequest(sending, target.named)
  const files = await storeFiles(parts, null, sending.files, KIND_TABLE[kind].most.files)
  const messages = toMessages(sending, files)
  for (const { payload } of messages) await checkFile(createMediaStorage(parts), kind, payload)
  const sent = await change(parts, async tx => {
    const before = key === null ? null : await findPreviousAnswer(tx, key, fingerprint)
    if (before !== null) return { answer: await checkPrevious(tx, session, before), repeated: true }
    const answer = await send(tx, session, { target, messages, files, sending })
    if (key !== null) await storeAnswer(tx, key, answer)
    return { answer, repeated: false }
  })
  const ids = files.map(file => file.mediaId)
  if (sent.repeated) await removeMedia(createMediaStorage(parts), ids)
  return sent
}

/** The one token of the settings is no session: its keys have none of the colons that keep all others apart. */
function toStoredKey(session: Session | null, key: string): string {
  if (session) return `${session.family}:${key}`
  return key.includes(':') ? `settings:${key}` : key
}

/** What was answered before, to who may see it still. */
async function checkPrevious(tx: Tx, session: Session | null, before: unknown): Promise<Answer> {
  const answer = checkAnswer(before)
  if (session) await loadVisibleFacts(tx, session, answer.ticketId)
  return answer
}

interface PreparedSend {
  readonly target: SendTarget
  readonly messages: ReturnType<typeof toMessages>
  readonly files: readonly FileToSend[]
  readonly sending: ApiSendRequest
}

async function send(
  tx: Tx,
  session: Session | null,
  { target, messages: contents, files, sending }: PreparedSend,
): Promise<Answer> {
  const { queueId = null, userId = null } = sending
  if (queueId !== null) await lockQueueName(tx, queueId)
  if (userId !== null && isHidden(session?.viewer ?? NOBODY, userId)) throw new AppError('ERR_NO_USER_FOUND')
  if (userId !== null) await checkAssignee(tx, userId, queueId)
  const { to } = target
  const contact = 'contactId' in to ? { id: to.contactId, changed: false } : await resolveContact(tx, to)
  const wanted = { contactId: contact.id, whatsappId: target.connection.id, queueId, userId }
  const ticket = await findOrCreateTicket(tx, wanted)
  const { id: ticketId, ...lane } = ticket
  await checkSendable(tx, lane, sending.template !== undefined)
  if (session) checkServes(session, await loadVisibleFacts(tx, session, ticketId))
  const writer = session ? toWriter(session) : { userId: null }
  const messages: Message[] = []
  for (const { mediaId } of files) await claimUpload(tx, null, mediaId, { ticketId })
  for (const content of contents) messages.push(await writeMessage(tx, { ticket, ...writer, ...content }))

  if (contact.changed) await publishContactEvents(tx, [contact.id])
  await writeLog(tx, { action: 'api.send', userId: writer.userId, ticketId, ...lane })
  return { ticketId, contactId: lane.contactId, messages }
}

/** The same request has the same: everything that decides what is sent and where. */
function fingerprintRequest(sending: ApiSendRequest, target: string): string {
  const hash = createHash('sha256')
  const { body = '', whatsappId, queueId, userId, choices, template } = sending
  hash.update(JSON.stringify([target, body, whatsappId ?? null, queueId ?? null, userId ?? null]))
  if (choices || template) hash.update(JSON.stringify([choices, template]))
  for (const { name, sha256 } of sending.files) hash.update(JSON.stringify([name, sha256]))
  return hash.digest('hex')
}
