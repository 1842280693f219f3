// One call changes a ticket in many ways; this says which command a request means (spec 1 §7 `PUT /tickets/{id}`).
import {
  findTransition,
  type RequestBody,
  type Ticket,
  type TicketReference,
  type TicketStatus,
} from '@balcao/contract'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { checkSees, loadTicketPlaces } from '../../policy/access/ticket-facts.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { acceptTicket } from './accept.ts'
import { transferTicket } from './transfer.ts'
import { moveTicket } from './transitions.ts'

type Body = RequestBody<'PUT /tickets/:id'>

/** Runs the command a request means. Each command checks again under the lock: the ticket may have changed since. */
export async function updateTicket(parts: Parts, session: Session, id: number, body: Body): Promise<Ticket> {
  const ticket = (await loadTicketPlaces(parts.db, [id])).get(id)
  if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
  const self = session.viewer.id
  if (body.status === 'open' && ticket.status !== 'closed' && ticket.status !== 'paused') {
    // Who is nobody names somebody: with a status it is accepted for them, without one it is transferred.
    if (toPersonId(self) === null) return acceptTicket(parts, session, id, body)
    const forSelf = body.userId === undefined || body.userId === null || body.userId === self
    if (forSelf && !(ticket.userId === self && goesElsewhere(ticket, body)))
      return acceptTicket(parts, session, id, body)
  }
  checkSees(session, ticket)
  if (isTransfer(body, ticket.status)) return transferTicket(parts, session, id, withAssignee(body, self))
  if (body.status === undefined) throw createFieldError('status', 'call.status')
  const transition = findTransition(ticket.status, body.status)
  if (transition === null || transition === 'accept')
    throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: body.status })
  return moveTicket(parts, session, id, transition, body)
}

/** Whether a request moves an open ticket: accepted again, with the same queue, it changes nothing. */
function goesElsewhere(ticket: TicketReference, { queueId, whatsappId, transferMessage }: Body): boolean {
  const other = (requested: number | null | undefined, now: number | null) =>
    typeof requested === 'number' && requested !== now
  return other(queueId, ticket.queueId) || other(whatsappId, ticket.whatsappId) || Boolean(transferMessage?.trim())
}

/** `open` without a person means that it stays open with whoever asks; nobody named says that it waits. */
function withAssignee(body: Body, self: number): Body {
  return body.status === 'open' && body.userId === undefined ? { ...body, userId: self } : body
}

/** A request that names where the ticket goes; closing and pausing win over it, accepting was looked at before. */
function isTransfer(body: Body, status: TicketStatus): boolean {
  if (body.status === 'closed' || body.status === 'paused') return false
  if (body.status === 'open' && (status === 'closed' || status === 'paused')) return false
  const names = body.queueId !== undefined || Boolean(body.userId) || body.whatsappId !== undefined
  return names || Boolean(body.transferMessage)
}
