// Sending for other programs: number in, message out, and no second message for a request that comes twice (decisions §5).
import { createHash } from 'node:crypto'
import { endpoints, KIND_TABLE, type Message, type RequestBody, type ResponseBody } from '@balcao/contract'
import { findNumber, type NumberPeer, resolvePeer } from '../../desk/contacts/check-number.ts'
import { type ConnectionRef, resolveConnection } from '../../desk/contacts/connection-for.ts'
import { resolveContact } from '../../desk/contacts/identity.ts'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { type ReceivedFile, removeMedia } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { storeFiles } from '../../desk/media/to-send.ts'
import { toContentColumns, toMessageContents } from '../../desk/messages/content.ts'
import { checkFile } from '../../desk/messages/fits.ts'
import { checkSendable, writeMessage } from '../../desk/messages/write.ts'
import { checkAssignee, lockQueueName } from '../../desk/tickets/change.ts'
import { findOrCreateTicket } from '../../desk/tickets/find-or-create.ts'
import type { Tx } from '../../platform/database/client.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { storeAnswer } from '../../platform/http/idempotency.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { checkServes, loadVisibleFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { findPreviousAnswer } from './limits.ts'

export type ApiSendRequest = RequestBody<'POST /api/messages/send'> & { readonly files: readonly ReceivedFile[] }
const checkAnswer = createValidator(endpoints['POST /api/messages/send'].answer)
type Answer = ResponseBody<'POST /api/messages/send'>

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
  const number = await findNumber(parts.db, sending.number)
  const text = sending.body?.trim() ?? ''
  if (text === '' && sending.files.length === 0) throw createFieldError('body', 'call.textOrFile')
  if (sending.userId !== undefined && sending.queueId === undefined) throw createFieldError('queueId', 'call.queue')
  const connection = await resolveConnection(parts.db, sending.whatsappId)
  // Another program's key is another key: its answer is told to nobody else.
  const key = ownKey !== null && session ? `${session.family}:${ownKey}` : ownKey
  const fingerprint = fingerprintRequest(sending, number)
  const peer = await resolvePeer(parts, connection, number, null)
  const files = await storeFiles(parts, null, sending.files, KIND_TABLE[connection.api].most.files)
  for (const contents of toMessageContents(text, files))
    await checkFile(createMediaStorage(parts), connection.api, toContentColumns(contents).payload)
  const sent = await change(parts, async tx => {
    const before = key === null ? null : await findPreviousAnswer(tx, key, fingerprint)
    if (before !== null) return { answer: checkAnswer(before), repeated: true }
    const answer = await send(tx, session, { connection, peer, text, files, sending })
    if (key !== null) await storeAnswer(tx, key, answer)
    return { answer, repeated: false }
  })
  const ids = files.map(file => file.mediaId)
  if (sent.repeated) await removeMedia(createMediaStorage(parts), ids)
  return sent
}

interface PreparedSend {
  readonly connection: ConnectionRef
  readonly peer: NumberPeer
  readonly text: string
  readonly files: readonly FileToSend[]
  readonly sending: ApiSendRequest
}

async function send(
  tx: Tx,
  session: Session | null,
  { connection, peer, text, files, sending }: PreparedSend,
): Promise<Answer> {
  const { queueId = null, userId = null } = sending
  if (queueId !== null) await lockQueueName(tx, queueId)
  if (userId !== null) await checkAssignee(tx, userId, queueId)
  const contact = await resolveContact(tx, peer)
  const lane = { contactId: contact.id, whatsappId: connection.id }
  await checkSendable(tx, lane)

  const ticketId = await findOrCreateTicket(tx, { ...lane, queueId, userId })
  if (session) checkServes(session, await loadVisibleFacts(tx, session, ticketId))
  const ticket = { id: ticketId, ...lane }
  const writer = toPersonId(session?.viewer.id)
  const messages: Message[] = []
  for (const contents of toMessageContents(text, files)) {
    if (contents.file) await claimUpload(tx, null, contents.file.mediaId, { ticketId })
    messages.push(await writeMessage(tx, { ticket, userId: writer, ...toContentColumns(contents) }))
  }

  if (contact.changed) await publishContactEvents(tx, [contact.id])
  await writeLog(tx, { action: 'api.send', userId: writer, ticketId, ...lane })
  return { ticketId, contactId: contact.id, messages }
}

/** The same request has the same: everything that decides what is sent and where. */
function fingerprintRequest(sending: ApiSendRequest, number: string): string {
  const hash = createHash('sha256')
  const { body = '', whatsappId, queueId, userId } = sending
  hash.update(JSON.stringify([number, body, whatsappId ?? null, queueId ?? null, userId ?? null]))
  for (const { name, sha256 } of sending.files) hash.update(JSON.stringify([name, sha256]))
  return hash.digest('hex')
}
