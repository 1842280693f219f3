// Closing what the bot or the rating still holds, without a word to the customer (decisions §4).
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'

/** bot or nps → closed. Throws `ERR_INVALID_TRANSITION`. */
export function dismissTicket(parts: Parts, session: Session, id: number): Promise<Ticket> {
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'dismiss')
    return {
      patch: { status: 'closed', closedAt: 'now' },
      line: { code: 'closed', text: `${session.name} fechou o atendimento`, params: { user: session.name } },
      log: 'Atendimento fechado',
    }
  })
}
