// Which messages make up the conversation a person sees when opening one ticket (decisions §5: history*, onlyTicketMsg). What
// somebody quotes, reads, searches or is told of as quoted is asked here.
import { canSeeTicket, type TicketReference } from '@balcao/contract'
import type postgres from 'postgres'
import { type Db, getPageDatabase, type Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { type AccessContext, checkSees, findFacts, ticketPlaceSql } from '../../policy/access/ticket-facts.ts'
import { type SqlFragment, visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

export interface Conversation {
  readonly contactId: number
  readonly ticketIds: readonly number[]
  /** These are all tickets the contact has. */
  readonly isWhole: boolean
}

/**
 * The tickets of this ticket's contact that the viewer may see, narrowed by the history settings (administrators see all).
 * Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`.
 */
export async function resolveConversation(db: Db, session: Session, ticketId: number): Promise<Conversation> {
  const sql = getSql(getPageDatabase(db))
  const rows = await sql<(TicketReference & { other: number; isShown: boolean | null })[]>`
    select ${ticketPlaceSql(sql)}, other.id as other, ${shownWithSql(sql, session, 't', 'other')} as "isShown"
    from ticket t left join "user" u on u.id = t.user_id join ticket other on other.contact_id = t.contact_id
    where t.id = ${ticketId}`
  const { contactId } = checkSees(session, rows[0])
  const shown = rows.filter(row => row.isShown)
  return { contactId, ticketIds: shown.map(row => row.other), isWhole: shown.length === rows.length }
}

/**
 * The contract's `isInSameHistory` as a condition: whether what was said in the ticket named `there` is part of the conversation
 * this reader is shown at `here`, a ticket the reader may see.
 */
export function shownWithSql(
  sql: postgres.Sql,
  { viewer, settings }: AccessContext,
  here: string,
  there: string,
): SqlFragment {
  const [ours, theirs] = [sql(here), sql(there)]
  const narrowed = viewer.profile !== 'admin'
  return sql`(${theirs}.id = ${ours}.id or (${!settings.onlyTicketMsg}::boolean and ${theirs}.contact_id = ${ours}.contact_id
    and ${visibleTicketsSql(sql, viewer, settings, there)}
    ${narrowed && settings.historyByConnection ? sql`and ${theirs}.whatsapp_id = ${ours}.whatsapp_id` : sql``}
    ${narrowed && settings.historyByQueue ? sql`and ${theirs}.queue_id is not distinct from ${ours}.queue_id` : sql``}
    ${narrowed && settings.historyByUser ? sql`and ${theirs}.user_id is not distinct from ${ours}.user_id` : sql``}))`
}

/**
 * The ticket a message stands in. Whoever may see that ticket is shown the message when opening it; to everybody else the message
 * is as good as none. Throws `ERR_NO_MESSAGE_FOUND`.
 */
export async function findMessageTicket(db: Db | Tx, { viewer, settings }: AccessContext, id: number): Promise<number> {
  const [place] = await getSql(db)<{ ticket_id: number }[]>`select ticket_id from message where id = ${id}`
  const facts = place && (await findFacts(db, place.ticket_id))
  if (!facts || !canSeeTicket(viewer, facts, settings)) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return place.ticket_id
}
