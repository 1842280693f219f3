// A send tried on one phone (spec 3 §2): the same words, file and template, filled in for it, said at once. No send begins.
import { type ResponseBody, validateMassSend } from '@balcao/contract'
import { findNumber, resolvePeer } from '../../desk/contacts/check-number.ts'
import { resolveContact } from '../../desk/contacts/identity.ts'
import { publishContactEvents } from '../../desk/contacts/present.ts'
import { claimUpload } from '../../desk/media/claim.ts'
import { writeMessage } from '../../desk/messages/write.ts'
import { findOrCreateTicket } from '../../desk/tickets/find-or-create.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { createOnce, sealComparableContent, toComparableContent } from '../../policy/kit/made-once.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSends } from './access.ts'
import { buildRecipientContent } from './enqueue.ts'
import type { SendInput } from './form.ts'
import { claimTemplate, requireSendConnection, storeFormFile, toContentFlags } from './save.ts'
import { checkTestPace } from './test-pace.ts'

/**
 * Says it to one number, in its live conversation or where it rings for nobody. The same under the same `clientId` goes out once: an
 * answer may be lost, and its repeat is no second message. Throws `ERR_NO_PERMISSION`, `ERR_VALIDATION`,
 * `ERR_NO_WAPP_FOUND`, `ERR_WAPP_INVALID_CONTACT`, `ERR_TOO_MANY_ATTEMPTS`, and as storing its file and writing a message do.
 */
export async function testSend(
  parts: Parts,
  session: Session,
  input: SendInput,
  to: string,
): Promise<ResponseBody<'POST /envioMassa/test'>> {
  checkSends(session)
  const number = await findNumber(parts.db, to)
  const connection = await requireSendConnection(parts.db, input.whatsappId)
  const faults = validateMassSend({ ...input.recipients, ...toContentFlags(input), allContacts: true }, connection.api)
  if (faults.length > 0) throw createValidationError('send', faults)
  const peer = await resolvePeer(parts, connection, number, session.viewer.id)
  const file = input.file ? await storeFormFile(parts, session, input.file) : null
  // Another number or other words are another test, whatever they are called.
  const written = sealComparableContent(parts, { ...toComparableContent(input), number })
  const form = { clientId: input.clientId, content: written }
  const { number: reached } = await createOnce(parts, session, `sendTest:${written}`, form, make, again)
  return { number: reached }

  async function make(tx: Tx) {
    await checkTestPace(tx, session.viewer.id, connection.id)
    const contact = await resolveContact(tx, peer)
    const lane = { contactId: contact.id, whatsappId: connection.id }
    const ticket = await findOrCreateTicket(tx, { ...lane, queueId: null, userId: null })
    const ticketId = ticket.id
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, { ticketId })
    const template = input.template && (await claimTemplate(tx, session, input.template, { ticketId }))
    const contents = {
      body: input.mensagem,
      file,
      template,
      user: session.name,
      ...(await loadContactName(tx, contact.id)),
    }
    const content = await buildRecipientContent(tx, lane, contents, session.settings)
    await writeMessage(tx, { ticket, userId: session.viewer.id, automatic: true, ...content })
    if (contact.changed) await publishContactEvents(tx, [contact.id])
    await writeLog(tx, { action: 'send.test', userId: session.viewer.id, ticketId, ...lane })
    return { id: ticketId, number: peer.pn }
  }

  async function again(id: number) {
    return { id, number: peer.pn }
  }
}

async function loadContactName(tx: Tx, id: number): Promise<{ readonly name: string; readonly number: string | null }> {
  const [row] = await getSql(tx)<{ name: string; number: string | null }[]>`
    select name, number from contact where id = ${id}`
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return row
}
