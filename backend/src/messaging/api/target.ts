// Whom a program writes to: a number on a connection, or the contact of a ticket.
import { findNumber, type NumberPeer, resolvePeer } from '../../desk/contacts/check-number.ts'
import { type ConnectionRef, resolveConnection } from '../../desk/contacts/connection-for.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { checkServes, loadVisibleFacts } from '../../policy/access/ticket-facts.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { ApiSendRequest } from './request.ts'

export interface SendTarget {
  readonly connection: ConnectionRef
  /** The number as it was written, or the ticket: what a repeated request names again. */
  readonly named: string
  /** Who is known by the number, or the contact of the ticket. */
  readonly to: NumberPeer | { readonly contactId: number }
}

/** Throws `ERR_VALIDATION`, `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, `ERR_NO_DEF_WAPP_FOUND`, `ERR_NO_WAPP_FOUND`, `ERR_WAPP_INVALID_CONTACT`. */
export async function resolveTarget(
  parts: Parts,
  session: Session | null,
  { number = '', ticketId, whatsappId }: ApiSendRequest,
): Promise<SendTarget> {
  if (ticketId !== undefined) {
    if (number !== '' || whatsappId !== undefined) throw createFieldError('ticketId', 'schema.fieldInvalid')
    return resolveTicket(parts, session, ticketId)
  }
  const named = await findNumber(parts.db, number)
  const connection = await resolveConnection(parts.db, whatsappId)
  return { connection, named, to: await resolvePeer(parts, connection, named, null) }
}

async function resolveTicket({ db }: Parts, session: Session | null, ticketId: number): Promise<SendTarget> {
  if (session) checkServes(session, await loadVisibleFacts(db, session, ticketId))
  const [row] = await getSql(db)<{ contactId: number; whatsappId: number }[]>`
    select contact_id as "contactId", whatsapp_id as "whatsappId" from ticket where id = ${ticketId}`
  if (!row) throw new AppError('ERR_NO_TICKET_FOUND')
  const connection = await resolveConnection(db, row.whatsappId)
  return { connection, named: `ticket ${ticketId}`, to: { contactId: row.contactId } }
}
