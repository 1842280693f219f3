// Which tickets make up the conversation a person sees when opening one ticket (decisions §5: history*, onlyTicketMsg).
import { maySeeTicket } from '@balcao/contract'
import { visibleTickets } from '../access/visible-tickets.ts'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, noAccessTo } from '../http/errors.ts'
import type { Session } from '../sessions/authenticate.ts'
import { loadFacts } from '../tickets/present.ts'

export interface Conversation {
  readonly contactId: number
  readonly ticketIds: readonly number[]
}

/**
 * The tickets of this ticket's contact that the viewer may see, narrowed by the history settings (administrators see all).
 * Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`.
 */
export async function conversationOf(db: Db, session: Session, ticketId: number): Promise<Conversation> {
  const facts = (await loadFacts(db, [ticketId])).get(ticketId)
  if (!facts) throw new AppError('ERR_NO_TICKET_FOUND')
  if (!maySeeTicket(session.viewer, facts, session.access)) throw noAccessTo('ticket')
  const sql = sqlOf(db)
  const { settings, viewer, access } = session
  const on = (key: keyof typeof settings) => settings[key] === 'enabled'
  const narrowed = viewer.profile !== 'admin'
  const rows = await sql<{ id: number; contact_id: number }[]>`
    select t.id, t.contact_id from ticket this join ticket t on t.contact_id = this.contact_id
    where this.id = ${ticketId} and (t.id = this.id or (${!on('onlyTicketMsg')}::boolean
      and ${visibleTickets(sql, viewer, access)}
      ${narrowed && on('historyByConnection') ? sql`and t.whatsapp_id = this.whatsapp_id` : sql``}
      ${narrowed && on('historyByQueue') ? sql`and t.queue_id is not distinct from this.queue_id` : sql``}
      ${narrowed && on('historyByUser') ? sql`and t.user_id is not distinct from this.user_id` : sql``}))`
  const [first] = rows
  if (!first) throw new AppError('ERR_NO_TICKET_FOUND')
  return { contactId: first.contact_id, ticketIds: rows.map(row => row.id) }
}
