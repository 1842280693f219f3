// What decides who may see a ticket, and the one refusal for whoever may not.
import { maySeeTicket, type ShownSettings, type TicketFacts, type TicketPlace, type Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { AppError, noAccessTo } from '../../platform/http/errors.ts'

/** Who is shown something. */
export interface Reader {
  readonly viewer: Viewer
  readonly settings: ShownSettings
}

/** The facts of a ticket this person may see. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function factsToSee(db: Db | Tx, reader: Reader, ticketId: number): Promise<TicketFacts> {
  return checkSees(reader, await factsOf(db, ticketId))
}

/** The same for facts that were read already. */
export function checkSees<Facts extends TicketFacts>({ viewer, settings }: Reader, facts: Facts | undefined): Facts {
  if (!facts) throw new AppError('ERR_NO_TICKET_FOUND')
  if (!maySeeTicket(viewer, facts, settings)) throw noAccessTo('ticket')
  return facts
}

export async function factsOf(db: Db | Tx, ticketId: number): Promise<TicketFacts | undefined> {
  return (await loadFacts(db, [ticketId])).get(ticketId)
}

/** Of many tickets, in one statement; unknown ids are missing from the map. */
export async function loadFacts(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketFacts>> {
  return new Map([...(await loadPlaces(db, ids))].map(([id, place]) => [id, factsIn(place)]))
}

/** The facts of a ticket, without where it belongs. */
export function factsIn({ status, queueId, userId, ownerProfile, isGroup }: TicketPlace): TicketFacts {
  return { status, queueId, userId, ownerProfile, isGroup }
}

/** The same with where they belong, for what is shown together. */
export async function loadPlaces(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketPlace>> {
  if (ids.length === 0) return new Map()
  const rows = await sqlOf(db)<TicketPlace[]>`
    select ${placeColumns(sqlOf(db))} from ticket t left join "user" u on u.id = t.user_id where t.id = any(${ids}::int[])`
  return new Map(rows.map(row => [row.id, row]))
}

/** The columns of a `TicketPlace`, of a ticket `t` and its person `u`. */
export function placeColumns(sql: postgres.Sql) {
  return sql`t.id, t.contact_id as "contactId", t.whatsapp_id as "whatsappId", t.status, t.queue_id as "queueId", t.user_id as "userId",
    u.profile as "ownerProfile", t.is_group as "isGroup"`
}
