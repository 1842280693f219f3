// Why somebody may or may not see a ticket, in the words of the one policy that decides it (decisions §4).

import { explainTicket, type ResponseBody } from '@balcao/contract'
import { AppError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadUsers } from '../../policy/users/present.ts'
import { loadTicketView } from './present.ts'

/** Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_USER_FOUND`. */
export async function explainAccess(
  { db, config }: Parts,
  { viewer, settings }: Session,
  ticketId: number,
  userId: number,
): Promise<ResponseBody<'GET /tickets/:id/access'>> {
  const { ticket, facts } = await loadTicketView(db, ticketId)
  // The owner is hidden from everybody else.
  const [person] = isHidden(viewer, userId) ? [] : await loadUsers(db, config, [userId])
  if (!person) throw new AppError('ERR_NO_USER_FOUND')
  const { id, name, profilePicUrl } = person
  return {
    ...(person.active ? explainTicket(person, facts, settings) : { allowed: false, rule: 'inactive' }),
    user: { id, name, profilePicUrl },
    queue: ticket.queue?.name ?? null,
    assignedTo: ticket.user?.name ?? null,
  }
}
