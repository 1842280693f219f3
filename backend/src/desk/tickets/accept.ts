// Accepting: a waiting ticket becomes one's own. Of two people at once one wins (spec 1 §4, decisions §4).
import { canSeeTicket, findTransition, type RequestBody, type Ticket } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { checkServes } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createSystemLine } from '../messages/system-lines.ts'
import { applyTicketPlan, checkAssignee, lockQueueName, NOW, resolveServing } from './change.ts'
import { type LockedTicket, lockAnyTicket } from './lock.ts'
import { describeOtherTicket } from './other-open.ts'
import { loadTicketView } from './present.ts'

/**
 * pending or bot → open, assigned to the person asking, or to whom a program of the company names; so is an open one nobody has (after resuming). A ticket without a queue needs one where the person has queues.
 * Throws `ERR_OTHER_OPEN_TICKET` (409, with the ticket's id) when somebody else was faster, `ERR_VALIDATION`, `ERR_NO_PERMISSION`.
 */
export async function acceptTicket(
  parts: Parts,
  session: Session,
  id: number,
  request: Pick<RequestBody<'PUT /tickets/:id'>, 'queueId' | 'userId'>,
): Promise<Ticket> {
  const userId = resolveServing(session, request)
  return change(parts, async tx => {
    const ticket = await lockAnyTicket(tx, id)
    const { viewer } = session
    if (ticket.status === 'open' && ticket.userId !== null && ticket.userId !== userId)
      throw await lostRace(parts, tx, session, ticket)
    if (!canSeeTicket(viewer, ticket.facts, session.settings)) throw new AppError('ERR_NO_PERMISSION')
    checkServes(session, ticket.facts)
    if (ticket.status === 'open' && ticket.userId === userId) return (await loadTicketView(tx, id)).ticket
    if (ticket.status !== 'open' && findTransition(ticket.status, 'open') !== 'accept')
      throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: 'open' })
    const queueId = request.queueId ?? ticket.queueId
    if (queueId === null && viewer.queueIds.length > 0) throw createFieldError('queueId', 'call.queue')
    return acceptLocked(tx, session, ticket, queueId, userId)
  })
}

/** Assigns a locked ticket that waits, to the person asking unless another one is given. */
export async function acceptLocked(
  tx: Tx,
  session: Session,
  ticket: LockedTicket,
  queueId: number | null,
  userId = session.viewer.id,
): Promise<Ticket> {
  if (queueId !== null && queueId !== ticket.queueId) await lockQueueName(tx, queueId)
  const { name: to } = await checkAssignee(tx, userId, queueId)
  const patch = { status: 'open', userId, queueId, acceptedAt: NOW, closedAt: null } as const
  if (userId === session.viewer.id) {
    const line = createSystemLine(session, 'accepted', 'aceitou o atendimento')
    return applyTicketPlan(tx, session, ticket, { patch, line, log: 'ticket.accept' })
  }
  const line = createSystemLine(session, 'transferred', `transferiu o atendimento para ${to}`, { to })
  return applyTicketPlan(tx, session, ticket, {
    ...{ patch: { ...patch, unread: true }, line, log: 'ticket.accept', handedBecause: '' },
  })
}

/** Whoever was too slow learns who has it, and gets the ticket itself only if it is still to be seen. */
async function lostRace({ config }: Parts, tx: Tx, session: Session, ticket: LockedTicket): Promise<AppError> {
  const { viewer, settings } = session
  const couldSee = canSeeTicket(viewer, { ...ticket.facts, status: 'pending', userId: null }, settings)
  if (!couldSee) return new AppError('ERR_NO_PERMISSION')
  return new AppError('ERR_OTHER_OPEN_TICKET', await describeOtherTicket(config, tx, session, ticket.id))
}
