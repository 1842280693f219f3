import type { Ticket } from '@balcao/contract'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'

/** A ticket as the answer to its change, without the last words for a program that reads neither tickets nor messages. */
export function hideWords<T extends Ticket | null>(session: Pick<Session, 'scopes'>, ticket: T): T {
  return ticket === null || hasScope(session, 'readTickets', 'readMessages') ? ticket : { ...ticket, lastMessage: '' }
}
