// The ticket that is in the way of another one: who has it, where, and the ticket itself for whoever may see it (spec 1 §8).
import { canSeeTicket, type OtherOpenTicket } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createAskPass } from './ask-pass.ts'
import { hideWords } from './hidden-words.ts'
import { loadTickets } from './present.ts'

type AskConfig = Pick<Config, 'jwtSecret'>

/** `ERR_OTHER_OPEN_TICKET` about the live ticket of a contact on a connection; `wanted` is the ticket that would be there. */
export async function createOtherTicketError(
  config: AskConfig,
  db: Db | Tx,
  session: Session,
  { contactId, whatsappId, wanted = 0 }: { contactId: number; whatsappId: number; wanted?: number },
): Promise<AppError> {
  const [row] = await getSql(db)<{ id: number }[]>`
    select id from ticket where contact_id = ${contactId} and status <> 'closed' and id <> ${wanted}
    order by (whatsapp_id = ${whatsappId}) desc, id desc limit 1`
  return new AppError('ERR_OTHER_OPEN_TICKET', row ? await describeOtherTicket(config, db, session, row.id) : undefined)
}

/** What may be told of a ticket that is in the way. */
export async function describeOtherTicket(
  config: AskConfig,
  db: Db | Tx,
  session: Session,
  ticketId: number,
): Promise<OtherOpenTicket | undefined> {
  const view = (await loadTickets(db, [ticketId])).get(ticketId)
  if (!view) return undefined
  const { ticket, facts } = view
  return {
    ticketId,
    status: ticket.status,
    userId: ticket.userId,
    user: ticket.user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    ...(canSeeTicket(session.viewer, facts, session.settings)
      ? { ticket: hideWords(session, ticket) }
      : { askPass: createAskPass(config, { userId: session.viewer.id, ticketId }) }),
  }
}
