// Transferring to a queue, a person, another connection (spec 1 §4 "Transfer").
import type { RequestBody, Ticket } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { checkServes } from '../../policy/access/ticket-facts.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { writeAutomaticMessage } from '../messages/automatic.ts'
import { createSystemLine, writeComment } from '../messages/system-lines.ts'
import { changeTicket, checkAssignee, lockQueueName, NOW, type TicketPlan } from './change.ts'
import { type LockedTicket, lockVisibleTicket } from './lock.ts'

/** Who serves it next, while nobody does. */
const SOMEBODY = 'um atendente'

type TransferRequest = Pick<RequestBody<'PUT /tickets/:id'>, 'queueId' | 'userId' | 'whatsappId' | 'transferMessage'>

/**
 * Live tickets only. With a person the ticket is open and that person's; with a queue alone it waits there for anybody. The
 * customer is told where it went in the words of the setting `mensagemTransfer`; `transferMessage` stays inside, as a comment.
 * Throws `ERR_VALIDATION` without a queue, `ERR_INVALID_TRANSITION`, `ERR_NO_QUEUE_FOUND`, `ERR_NO_USER_FOUND`,
 * `ERR_NO_WAPP_FOUND`, `ERR_OTHER_OPEN_TICKET` when the contact has a live ticket on the other connection.
 */
export function transferTicket(parts: Parts, session: Session, id: number, request: TransferRequest): Promise<Ticket> {
  const { mensagemTransfer, timezone } = session.settings
  const plan = async (ticket: LockedTicket, tx: Tx): Promise<TicketPlan> => {
    if (ticket.status === 'closed' || ticket.status === 'nps')
      throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: 'pending' })
    const queueId = request.queueId ?? ticket.queueId
    // Who follows a ticket may take it over as it is, and nothing else.
    const isTakenOver =
      request.userId === session.viewer.id && request.userId !== ticket.userId && queueId === ticket.queueId
    if (!isTakenOver || request.whatsappId !== undefined) checkServes(session, ticket.facts)
    if (queueId === null) throw createFieldError('queueId', 'call.transfer')
    const queue = await lockQueueName(tx, queueId)
    if (request.userId && request.userId !== ticket.userId && isHidden(session.viewer, request.userId))
      throw new AppError('ERR_NO_USER_FOUND')
    const assignee = request.userId ? await checkAssignee(tx, request.userId, queueId, ticket.userId) : null
    const comment = request.transferMessage?.trim() ?? ''
    // Who goes on serving it accepted it when that was.
    const stays = ticket.status === 'open' && request.userId === ticket.userId
    const onlyConnection = request.queueId === undefined && request.userId === undefined
    const handed = !onlyConnection && !stays && request.userId !== session.viewer.id
    const to = assignee ? `${assignee.name}, na fila ${queue}` : `a fila ${queue}`
    return {
      patch: {
        queueId,
        ...(handed ? { unread: true } : {}),
        ...(request.whatsappId === undefined ? {} : { whatsappId: request.whatsappId }),
        ...(onlyConnection
          ? {}
          : assignee
            ? { status: 'open', userId: request.userId ?? null, pauseTag: null, ...(stays ? {} : { acceptedAt: NOW }) }
            : { status: 'pending', userId: null, pauseTag: null, acceptedAt: null }),
      },
      line: isTakenOver
        ? createSystemLine(session, 'takenOver', 'assumiu o atendimento')
        : createSystemLine(session, 'transferred', `transferiu o atendimento para ${to}`, {
            queue,
            to: assignee?.name ?? queue,
          }),
      log: 'ticket.transfer',
      ...(handed ? { handedBecause: comment } : {}),
      also: async inTx => {
        const notice = onlyConnection || ticket.isGroup || request.userId === session.viewer.id ? '' : mensagemTransfer
        const words = { queue, user: assignee?.name ?? SOMEBODY }
        await writeAutomaticMessage(inTx, {
          ticketId: id,
          text: notice,
          timezone,
          by: session,
          words,
          ticketToldLater: true,
          unhurried: 'in silence',
        })
        if (comment !== '') await writeComment(inTx, id, session, comment)
      },
    }
  }
  return changeTicket(parts, session, id, plan, lockVisibleTicket)
}
