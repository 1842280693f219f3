// Resuming a paused ticket: open again, for whoever takes it (spec 1 §4: "user unset").
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'

/** paused → open, unassigned. Throws `ERR_INVALID_TRANSITION`. */
export function resumeTicket(parts: Parts, session: Session, id: number): Promise<Ticket> {
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'resume')
    return {
      patch: { status: 'open', userId: null, pauseTag: null },
      line: { code: 'resumed', text: `${session.name} retomou o atendimento`, params: { user: session.name } },
      log: 'Atendimento retomado',
    }
  })
}
