// A send tried on one phone (spec 3 §2): the same words, file and template, filled in for it, said at once. No send begins.
import { type AnswerOf, SEND_PROBLEMS, sendFaults } from '@balcao/contract'
import { findNumber, peerOf } from '../../desk/contacts/check-number.ts'
import { resolveContact } from '../../desk/contacts/identity.ts'
import { contactEvents } from '../../desk/contacts/present.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { writeMessage } from '../../desk/messages/write.ts'
import { ticketFor } from '../../desk/tickets/ticket-for.ts'
import type { Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { AppError, invalid } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSends } from './access.ts'
import type { GivenSend } from './form.ts'
import { contentFor } from './hand.ts'
import { claimedTemplate, connectionOf, fileIn, saidIn } from './save.ts'
import { turnToTry } from './test-pace.ts'

/**
 * Says it to one number, in its live conversation or where it rings for nobody. Throws `ERR_NO_PERMISSION`, `ERR_VALIDATION`,
 * `ERR_NO_WAPP_FOUND`, `ERR_WAPP_INVALID_CONTACT`, `ERR_TOO_MANY_ATTEMPTS`, and as storing its file and writing a message do.
 */
export async function testSend(
  parts: Parts,
  session: Session,
  given: GivenSend,
  to: string,
): Promise<AnswerOf<'POST /envioMassa/test'>> {
  checkSends(session)
  const number = await findNumber(parts.db, to)
  const connection = await connectionOf(parts.db, given.whatsappId)
  const faults = sendFaults({ ...given.recipients, ...saidIn(given), allContacts: true }, connection.api)
  if (faults.length > 0) throw invalid(faults, SEND_PROBLEMS)
  const peer = await peerOf(parts, connection, number, session.viewer.id)
  const file = given.file ? await fileIn(parts, session, given.file) : null
  return change(parts, async tx => {
    await turnToTry(tx, session.viewer.id, connection.id)
    const contact = await resolveContact(tx, peer)
    const lane = { contactId: contact.id, whatsappId: connection.id }
    const ticketId = await ticketFor(tx, { ...lane, queueId: null, userId: null })
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, { ticketId })
    const template = given.template && (await claimedTemplate(tx, session, given.template, { ticketId }))
    const said = { body: given.mensagem, file, template, user: session.name, ...(await namesOf(tx, contact.id)) }
    const content = await contentFor(tx, lane, said, session.settings)
    const ticket = { id: ticketId, ...lane }
    await writeMessage(tx, { ticket, userId: session.viewer.id, automatic: true, ...content })
    if (contact.changed) await contactEvents(tx, [contact.id])
    await writeLog(tx, { action: 'send.test', userId: session.viewer.id, ticketId, ...lane })
    return { number: peer.pn }
  })
}

async function namesOf(tx: Tx, id: number): Promise<{ readonly name: string; readonly number: string | null }> {
  const [row] = await sqlOf(tx)<{ name: string; number: string | null }[]>`
    select name, number from contact where id = ${id}`
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}
