// The tickets of one contact, newest first, as the contact drawer lists them.
import type { QueryParams, ResponseBody } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import { visibleTicketsSql } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadTickets } from '../tickets/present.ts'
import { getContact } from './list.ts'

const PAGE = 10

/** A page of those the viewer may see. Throws `ERR_NO_CONTACT_FOUND`. */
export async function listContactTickets(
  db: Db,
  { viewer, settings }: Session,
  contactId: number,
  query: QueryParams<'GET /contacts/:id/tickets'>,
): Promise<ResponseBody<'GET /contacts/:id/tickets'>> {
  const { id } = await getContact(db, contactId)
  const { after, limit } = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const sql = getSql(db)
  const rows = await sql<{ id: number }[]>`
    select t.id from ticket t
    where t.contact_id = ${id} and ${visibleTicketsSql(sql, viewer, settings)}
      ${after ? sql`and t.id < ${after.id}` : sql``}
    order by t.id desc nulls last limit ${limit + 1}`
  const { ids, ...page } = toPage(rows, limit)
  const views = await loadTickets(db, ids)
  return { tickets: ids.flatMap(each => views.get(each)?.ticket ?? []), count: ids.length, ...page }
}
