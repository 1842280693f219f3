// Sending somebody of the contacts as a card (spec 1 §7).
import type { Message } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/phone'
import { vcardOf } from '../channels/vcard.ts'
import { getContact } from '../contacts/list.ts'
import { AppError } from '../http/errors.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { lockTicket } from '../tickets/lock.ts'
import { ticketEvents } from '../tickets/present.ts'
import { appendMessage } from './append.ts'
import { handOver } from './hand-over.ts'
import { messageEvents } from './present.ts'
import { checkMaySend } from './send.ts'

/** Throws `ERR_NO_CONTACT_FOUND`, `ERR_WAPP_INVALID_CONTACT` for groups and who has no number, and as any sending. */
export async function sendCard(parts: Parts, session: Session, ticketId: number, contactId: number): Promise<Message> {
  const { name, number, isGroup } = await getContact(parts.db, contactId)
  if (isGroup || !number) throw new AppError('ERR_WAPP_INVALID_CONTACT')
  const card = vcardOf(name || formatPhone(number), [{ phone: formatPhone(number), waId: number }])
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, ticketId)
    const channel = await checkMaySend(tx, ticket, false)
    const messageId = await appendMessage(tx, {
      ticketId,
      body: card,
      mediaType: 'vcard',
      state: 'queued',
      userId: session.viewer.id,
    })
    await handOver(tx, { ...channel, messageId, operation: 'message', payload: { type: 'contacts', vcards: [card] } })
    await ticketEvents(tx, [{ ticketId, action: 'update' }])
    const [message] = await messageEvents(tx, [messageId], 'create')
    if (!message) throw new AppError('ERR_CREATING_MESSAGE')
    return message
  })
}
