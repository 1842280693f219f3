import type { Message } from '@balcao/contract'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'

/** What a program wrote, as it is answered: who the customer is learns only who reads that. */
export function hideContact(session: Pick<Session, 'scopes'>, message: Message): Message {
  if (hasScope(session, 'readMessages', 'readTickets', 'contacts')) return message
  return { ...message, contact: { ...message.contact, name: '' } }
}
