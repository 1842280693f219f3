// Back to waiting: the ticket is anybody's of its queue again (spec 1 §4).
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'

/** open → pending, unassigned. Throws `ERR_INVALID_TRANSITION`. */
export function returnTicket(parts: Parts, session: Session, id: number): Promise<Ticket> {
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'return')
    return {
      patch: { status: 'pending', userId: null, acceptedAt: null },
      line: {
        code: 'returned',
        text: `${session.name} devolveu o atendimento para a espera`,
        params: { user: session.name },
      },
      log: 'Atendimento devolvido para a espera',
    }
  })
}
