// Reading single tickets.
import type { ResponseBody, Ticket } from '@balcao/contract'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { checkSees } from '../../policy/access/ticket-facts.ts'
import { visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { resolveMergedId } from '../contacts/merged-id.ts'
import { loadTicketView } from './present.ts'

/** One ticket. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION` ('Você não tem permissão para acessar esse ticket'). */
export async function getTicket(db: Db, session: Session, id: number): Promise<Ticket> {
  const view = await loadTicketView(db, id)
  checkSees(session, view.facts)
  return view.ticket
}

type TicketContext = ResponseBody<'GET /tickets/:id/context'>

/**
 * What brought the customer here, the newest that a message names (an answer to our status only where nothing else did), and after how
 * many seconds messages of the chat disappear.
 */
export async function findTicketContext(db: Db, session: Session, id: number): Promise<TicketContext> {
  const { contactId, whatsappId } = await getTicket(db, session, id)
  const [row] = await getSql(getPageDatabase(db))<TicketContext[]>`
    select (select m.details->'origin' from message m where m.ticket_id = ${id} and m.details ? 'origin' and not m.is_deleted
        order by m.details->'origin'->>'kind' = 'story', m.seq desc nulls last limit 1) as origin,
      (select nullif(h.timer, 0) from contact_channel h where h.contact_id = ${contactId} and h.whatsapp_id = ${whatsappId}) as "disappearsAfter"`
  return row ?? { origin: null, disappearsAfter: null }
}

/** The live ticket that the viewer may see of a contact, or of who it turned out to be, on one connection or the latest on any; null when there is none. */
export async function findLiveTicket(
  db: Db,
  session: Session,
  contactId: number,
  whatsappId: number | undefined,
): Promise<Ticket | null> {
  const sql = getSql(getPageDatabase(db))
  const [row] = await sql<{ id: number }[]>`
    select t.id from ticket t
    where t.contact_id = ${await resolveMergedId(db, contactId)} and t.status <> 'closed'
      ${whatsappId === undefined ? sql`` : sql`and t.whatsapp_id = ${whatsappId}`}
      and ${visibleTicketsSql(sql, session.viewer, session.settings)}
    order by t.id desc nulls last limit 1`
  return row ? getTicket(db, session, row.id) : null
}
