// Reopening a closed ticket: it is the person's own again, unless the contact already has another live one (spec 1 §4).
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkAssignee, checkTransition, queueName } from './change.ts'

/** closed → open, assigned to the person asking. Throws `ERR_OTHER_OPEN_TICKET` with the live one's id, `ERR_INVALID_TRANSITION`, `ERR_NO_QUEUE_FOUND` when its queue is gone. */
export function reopenTicket(parts: Parts, session: Session, id: number): Promise<Ticket> {
  return changeTicket(parts, session, id, async (ticket, tx) => {
    checkTransition(ticket, 'reopen')
    // A live ticket in a queue that is gone would wait for nobody.
    if (ticket.queueId !== null) await queueName(tx, ticket.queueId)
    await checkAssignee(tx, session.viewer.id, ticket.queueId)
    return {
      patch: { status: 'open', userId: session.viewer.id, acceptedAt: 'now', closedAt: null },
      line: { code: 'reopened', text: `${session.name} reabriu o atendimento`, params: { user: session.name } },
      log: 'Atendimento reaberto',
    }
  })
}
