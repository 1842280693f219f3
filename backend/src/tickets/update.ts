// One call changes a ticket in many ways; this says which command a request means (spec 1 §7 `PUT /tickets/{id}`).
import { type BodyOf, maySeeTicket, type Ticket, type TicketStatus, transitionOf } from '@balcao/contract'
import { AppError, noAccessTo } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { acceptTicket } from './accept.ts'
import { dismissTicket } from './dismiss.ts'
import { pauseTicket } from './pause.ts'
import { loadFacts, loadTickets } from './present.ts'
import { releaseTicket } from './release.ts'
import { reopenTicket } from './reopen.ts'
import { resolveTicket } from './resolve.ts'
import { resumeTicket } from './resume.ts'
import { returnTicket } from './return.ts'
import { transferTicket } from './transfer.ts'

type Body = BodyOf<'PUT /tickets/:id'>

/** Runs the command a request means. Each command checks again under the lock: the ticket may have changed since. */
export async function updateTicket(parts: Parts, session: Session, id: number, body: Body): Promise<Ticket> {
  const facts = (await loadFacts(parts.db, [id])).get(id)
  if (!facts) throw new AppError('ERR_NO_TICKET_FOUND')
  const self = session.viewer.id
  if (body.status === 'open' && facts.status !== 'closed' && facts.status !== 'paused') {
    const forSelf = body.userId === undefined || body.userId === null || body.userId === self
    if (forSelf && !(facts.userId === self && (await goesElsewhere(parts, id, body))))
      return acceptTicket(parts, session, id, body.queueId)
  }
  if (!maySeeTicket(session.viewer, facts, session.access)) throw noAccessTo('ticket')
  if (isTransfer(body, facts.status)) return transferTicket(parts, session, id, withAssignee(body, self))
  if (body.status === undefined) throw new AppError('ERR_VALIDATION', [{ path: 'status', message: 'Informe o status' }])
  switch (transitionOf(facts.status, body.status)) {
    case 'return':
      return returnTicket(parts, session, id)
    case 'release':
      return releaseTicket(parts, session, id)
    case 'resolve':
      return resolveTicket(parts, session, id, body.onlyClose === true)
    case 'dismiss':
      return dismissTicket(parts, session, id)
    case 'pause':
      return pauseTicket(parts, session, id, body)
    case 'resume':
      return resumeTicket(parts, session, id)
    case 'reopen':
      return reopenTicket(parts, session, id)
    default:
      throw new AppError('ERR_INVALID_TRANSITION', { from: facts.status, to: body.status })
  }
}

/** Whether a request moves an open ticket: accepted again, with the same queue, it changes nothing. */
async function goesElsewhere(
  { db }: Parts,
  id: number,
  { queueId, whatsappId, transferMessage }: Body,
): Promise<boolean> {
  const ticket = (await loadTickets(db, [id])).get(id)?.ticket
  const other = (asked: number | null | undefined, now: number | null) => typeof asked === 'number' && asked !== now
  return (
    other(queueId, ticket?.queueId ?? null) ||
    other(whatsappId, ticket?.whatsappId ?? null) ||
    Boolean(transferMessage?.trim())
  )
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
