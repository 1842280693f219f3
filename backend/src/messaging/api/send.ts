// Sending for other programs: number in, message out, and no second message for a request that comes twice (decisions §5).
import { createHash } from 'node:crypto'
import { type AnswerOf, type BodyOf, endpoints, KIND_TABLE, type Message } from '@balcao/contract'
import { findNumber, type NumberPeer, peerOf } from '../../desk/contacts/check-number.ts'
import { type Connection, connectionFor } from '../../desk/contacts/connection-for.ts'
import { resolveContact } from '../../desk/contacts/identity.ts'
import { contactEvents } from '../../desk/contacts/present.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { placeOf } from '../../desk/media/place.ts'
import { type ReceivedFile, removeMedia } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { storeFiles } from '../../desk/media/to-send.ts'
import { asMessages, contentOf } from '../../desk/messages/content.ts'
import { checkFile } from '../../desk/messages/fits.ts'
import { checkMayLeave, writeMessage } from '../../desk/messages/write.ts'
import { checkAssignee, queueName } from '../../desk/tickets/change.ts'
import { ticketFor } from '../../desk/tickets/ticket-for.ts'
import type { Tx } from '../../platform/database/client.ts'
import { wrongField } from '../../platform/http/errors.ts'
import { keepAnswer } from '../../platform/http/repeats.ts'
import { checkerOf } from '../../platform/http/validate.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { answeredBefore } from './limits.ts'

export type ApiSending = BodyOf<'POST /api/messages/send'> & { readonly files: readonly ReceivedFile[] }
const checkAnswer = checkerOf(endpoints['POST /api/messages/send'].answer)
type Answer = AnswerOf<'POST /api/messages/send'>

export interface ApiAnswer {
  readonly answer: Answer
  /** The request had come before; nothing was sent. */
  readonly repeated: boolean
}

/** Sends; refusals as the contract's description of this call lists them. Files are stored first, everything else is one transaction. */
export async function sendByApi(parts: Parts, sending: ApiSending, key: string | null): Promise<ApiAnswer> {
  const number = await findNumber(parts.db, sending.number)
  const text = sending.body?.trim() ?? ''
  if (text === '' && sending.files.length === 0) throw wrongField('body', 'Informe um texto ou um arquivo')
  if (sending.userId !== undefined && sending.queueId === undefined)
    throw wrongField('queueId', 'Selecione uma fila válida')
  const connection = await connectionFor(parts.db, sending.whatsappId)
  const fingerprint = fingerprintOf(sending, number)
  const peer = await peerOf(parts, connection, number, null)
  const files = await storeFiles(parts, null, sending.files, KIND_TABLE[connection.api].most.files)
  for (const said of asMessages(text, files)) await checkFile(placeOf(parts), connection.api, contentOf(said).payload)
  const sent = await change(parts, async tx => {
    const before = key === null ? null : await answeredBefore(tx, key, fingerprint)
    if (before !== null) return { answer: checkAnswer(before), repeated: true }
    const answer = await send(tx, { connection, peer, text, files, sending })
    if (key !== null) await keepAnswer(tx, key, answer)
    return { answer, repeated: false }
  })
  const ids = files.map(file => file.mediaId)
  if (sent.repeated) await removeMedia(placeOf(parts), ids)
  return sent
}

interface Sent {
  readonly connection: Connection
  readonly peer: NumberPeer
  readonly text: string
  readonly files: readonly FileToSend[]
  readonly sending: ApiSending
}

async function send(tx: Tx, { connection, peer, text, files, sending }: Sent): Promise<Answer> {
  const { queueId = null, userId = null } = sending
  if (queueId !== null) await queueName(tx, queueId)
  if (userId !== null) await checkAssignee(tx, userId, queueId)
  const contact = await resolveContact(tx, peer)
  const lane = { contactId: contact.id, whatsappId: connection.id }
  await checkMayLeave(tx, lane)

  const ticketId = await ticketFor(tx, { ...lane, queueId, userId })
  const ticket = { id: ticketId, ...lane }
  const messages: Message[] = []
  for (const said of asMessages(text, files)) {
    if (said.file) await claimUpload(tx, null, said.file.mediaId, { ticketId })
    messages.push(await writeMessage(tx, { ticket, userId: null, ...contentOf(said) }))
  }

  if (contact.changed) await contactEvents(tx, [contact.id])
  await writeLog(tx, { action: 'api.send', ticketId, ...lane })
  return { ticketId, contactId: contact.id, messages }
}

/** The same request has the same: everything that decides what is sent and where. */
function fingerprintOf(sending: ApiSending, number: string): string {
  const hash = createHash('sha256')
  const { body = '', whatsappId, queueId, userId } = sending
  hash.update(JSON.stringify([number, body, whatsappId ?? null, queueId ?? null, userId ?? null]))
  for (const { name, sha256 } of sending.files) hash.update(JSON.stringify([name, sha256]))
  return hash.digest('hex')
}
