// Out of the bot's hands: the ticket waits for a person (decisions §4).
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'

/** bot → pending. Throws `ERR_INVALID_TRANSITION`. */
export function releaseTicket(parts: Parts, session: Session, id: number): Promise<Ticket> {
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'release')
    return {
      patch: { status: 'pending', userId: null },
      line: {
        code: 'returned',
        text: `${session.name} passou o atendimento do robô para a espera`,
        params: { user: session.name },
      },
      log: 'Atendimento passou do robô para a espera',
    }
  })
}
