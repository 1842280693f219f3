// Deleting a ticket with its messages: administrators only (spec 1 §6).
import { mayUse } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { lockTicket } from './lock.ts'
import { ticketDeleted } from './present.ts'

/** Throws `ERR_NO_PERMISSION`, `ERR_NO_TICKET_FOUND`. */
export async function deleteTicket(parts: Parts, session: Session, id: number): Promise<void> {
  if (!mayUse(session.viewer, 'deleteTicket', session.access)) throw new AppError('ERR_NO_PERMISSION')
  await change(parts, async tx => {
    const ticket = await lockTicket(tx, session, id)
    await sqlOf(tx)`delete from ticket where id = ${id}`
    await writeLog(tx, {
      descricao: 'Atendimento excluído',
      origem: 'ticket',
      userId: session.viewer.id,
      ticketId: id,
      contactId: ticket.contactId,
      queueId: ticket.queueId,
      whatsappId: ticket.whatsappId,
    })
    await ticketDeleted(tx, id, ticket.version + 1, ticket.facts)
  })
}
