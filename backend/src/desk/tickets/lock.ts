// The ticket a command is about: locked, with its facts, and only if the person may see it.
import type { TicketFacts, TicketReference } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { checkSees, checkServes, loadTicketPlaces, toTicketFacts } from '../../policy/access/ticket-facts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

export interface LockedTicket extends TicketReference {
  readonly version: number
  readonly facts: TicketFacts
}

/** What the log keeps of a ticket. */
export function toLogReferences({
  id: ticketId,
  contactId,
  queueId,
  whatsappId,
}: Omit<TicketReference, keyof TicketFacts> & Pick<TicketFacts, 'queueId'>) {
  return { ticketId, contactId, queueId, whatsappId }
}

/** Locks a ticket to work on it, until the transaction ends. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, also for who only follows it. */
export async function lockTicket(tx: Tx, session: Session, id: number): Promise<LockedTicket> {
  const ticket = await lockVisibleTicket(tx, session, id)
  checkServes(session, ticket.facts)
  return ticket
}

/** The same for what its followers may do, too. */
export async function lockVisibleTicket(tx: Tx, session: Session, id: number): Promise<LockedTicket> {
  const ticket = await lockAnyTicket(tx, id)
  checkSees(session, ticket.facts)
  return ticket
}

/** The same without asking who wants it: for a command that answers a lost race even to whom the ticket is hidden by now. */
export async function lockAnyTicket(tx: Tx, id: number): Promise<LockedTicket> {
  const [row] = await getSql(tx)<{ version: number }[]>`
    select version::float8 as version from ticket where id = ${id} for update`
  const place = (await loadTicketPlaces(tx, [id])).get(id)
  if (!row || !place) throw new AppError('ERR_NO_TICKET_FOUND')
  return { ...place, ...row, facts: toTicketFacts(place) }
}
