import type { Schedule } from '@balcao/contract'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { hasScope } from '../../policy/sessions/scopes.ts'

/** A scheduled send as its program sees it: who chooses contacts by their ids learns who they are only with what reads them. */
export function hideRecipients(session: Pick<Session, 'scopes'>, schedule: Schedule): Schedule {
  if (hasScope(session, 'contacts', 'readTickets')) return schedule
  const contacts = schedule.contacts.map(({ id }) => ({ id, name: '', number: null }))
  return { ...schedule, contacts, tags: schedule.tags.map(tag => ({ ...tag, name: '' })) }
}
