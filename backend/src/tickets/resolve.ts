// Resolving: the ticket is done, the customer is told good-bye where the connection has words for it (spec 1 §4).
import type { Ticket } from '@balcao/contract'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'
import { sayFarewell } from './farewell.ts'

/** open → closed with the connection's farewell; `silently` (onlyClose): without it. Throws `ERR_INVALID_TRANSITION`. */
export function resolveTicket(parts: Parts, session: Session, id: number, silently: boolean): Promise<Ticket> {
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'resolve')
    const { name } = session
    return {
      patch: { status: 'closed', userId: ticket.userId ?? session.viewer.id, closedAt: 'now', pauseTag: null },
      ...(silently ? {} : { also: tx => sayFarewell(tx, session, ticket) }),
      line: silently
        ? { code: 'closed', text: `${name} fechou o atendimento`, params: { user: name } }
        : { code: 'resolved', text: `${name} resolveu o atendimento`, params: { user: name } },
      log: silently ? 'Atendimento fechado sem despedida' : 'Atendimento resolvido',
    }
  })
}
