// Sending for other programs: number in, message out, and no second message for a request that comes twice (decisions §5).
import { createHash } from 'node:crypto'
import { type AnswerOf, type BodyOf, endpoints, KIND_TABLE, type Message } from '@balcao/contract'
import { findNumber, type NumberPeer, peerOf } from '../contacts/check-number.ts'
import { type Connection, connectionFor } from '../contacts/connection-for.ts'
import { resolveContact } from '../contacts/identity.ts'
import { contactEvents } from '../contacts/present.ts'
import type { Tx } from '../database/client.ts'
import { wrongField } from '../http/errors.ts'
import { keepAnswer } from '../http/repeats.ts'
import { checkerOf } from '../http/validate.ts'
import { writeLog } from '../log/write.ts'
import { claimUpload } from '../media/claim.ts'
import { placeOf } from '../media/place.ts'
import { type ReceivedFile, removeMedia } from '../media/store.ts'
import type { FileToSend } from '../media/table.ts'
import { storeFiles } from '../media/to-send.ts'
import { asMessages, contentOf } from '../messages/content.ts'
import { checkFile } from '../messages/fits.ts'
import { checkMayLeave, writeMessage } from '../messages/write.ts'
import { change, type Parts } from '../parts.ts'
import { checkAssignee, queueName } from '../tickets/change.ts'
import { ticketFor } from '../tickets/ticket-for.ts'
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
