// Who changes a contact changes its live tickets with it: no door may do to a ticket what one may not do to it by itself (decisions-2 §24).
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { AccessContext } from './ticket-facts.ts'
import { type SqlFragment, servableTicketsSql } from './visible-tickets.ts'

/** Throws `ERR_NO_PERMISSION` where one of these contacts has a live ticket this person does not see. */
export async function checkSeesLiveTickets(
  db: Db | Tx,
  reader: AccessContext,
  ...contactIds: readonly number[]
): Promise<void> {
  const sql = getSql(db)
  const hidden = await sql`
    select 1 from contact c where c.id = any(${[...contactIds]}::int[]) and ${hasHiddenTicket(sql, reader, 'c')} limit 1`
  if (hidden.length > 0) throw new AppError('ERR_NO_PERMISSION', undefined, {}, 'contactInHiddenTicket')
}

/** A condition that holds for contacts `row` with a live ticket that this person does not see. */
export function hasHiddenTicket(sql: postgres.Sql, { viewer, settings }: AccessContext, row: string): SqlFragment {
  return sql`exists (select 1 from ticket t where t.contact_id = ${sql(row)}.id and t.status <> 'closed'
    and not ${servableTicketsSql(sql, viewer, settings)})`
}
