// What decides who may see a ticket, and the one refusal for whoever may not.
import {
  canSeeTicket,
  canServeTicket,
  type TicketFacts,
  type TicketReference,
  type Viewer,
  type VisibilitySettings,
} from '@balcao/contract'
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createAccessError } from '../../platform/http/errors.ts'

/** Who is shown something. */
export interface AccessContext {
  readonly viewer: Viewer
  readonly settings: VisibilitySettings
}

/** The facts of a ticket this person may see. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function loadVisibleFacts(db: Db | Tx, reader: AccessContext, ticketId: number): Promise<TicketFacts> {
  return checkSees(reader, await findFacts(db, ticketId))
}

/** The same for facts that were read already. */
export function checkSees<Facts extends TicketFacts>(
  { viewer, settings }: AccessContext,
  facts: Facts | undefined,
): Facts {
  if (!facts) throw new AppError('ERR_NO_TICKET_FOUND')
  if (!canSeeTicket(viewer, facts, settings)) throw createAccessError('ticket')
  return facts
}

/** Refuses who only follows a ticket. Throws `ERR_NO_PERMISSION`. */
export function checkServes({ viewer, settings }: AccessContext, facts: TicketFacts): void {
  if (!canServeTicket(viewer, facts, settings)) throw new AppError('ERR_NO_PERMISSION', undefined, {}, 'followsOnly')
}

export async function findFacts(db: Db | Tx, ticketId: number): Promise<TicketFacts | undefined> {
  return (await loadFacts(db, [ticketId])).get(ticketId)
}

/** Of many tickets, in one statement; unknown ids are missing from the map. */
export async function loadFacts(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketFacts>> {
  return new Map([...(await loadTicketPlaces(db, ids))].map(([id, place]) => [id, toTicketFacts(place)]))
}

/** The facts of a ticket, without where it belongs. */
export function toTicketFacts({
  status,
  queueId,
  userId,
  ownerProfile,
  isGroup,
  followerIds,
}: TicketReference): TicketFacts {
  return { status, queueId, userId, ownerProfile, isGroup, ...(followerIds?.length ? { followerIds } : {}) }
}

/** The same with where they belong, for what is shown together. */
export async function loadTicketPlaces(db: Db | Tx, ids: readonly number[]): Promise<Map<number, TicketReference>> {
  if (ids.length === 0) return new Map()
  const rows = await getSql(db)<TicketReference[]>`
    select ${ticketPlaceSql(getSql(db))} from ticket t left join "user" u on u.id = t.user_id where t.id = any(${ids}::int[])`
  return new Map(rows.map(row => [row.id, row]))
}

/** The columns of a `TicketReference`, of a ticket `t` and its person `u`. */
export function ticketPlaceSql(sql: postgres.Sql) {
  return sql`t.id, t.contact_id as "contactId", t.whatsapp_id as "whatsappId", t.status, t.queue_id as "queueId", t.user_id as "userId",
    u.profile as "ownerProfile", t.is_group as "isGroup", coalesce(${followerIdsSql(sql)}, '{}') as "followerIds"`
}

/** Who follows a ticket `t`, the first one first; null: nobody. */
export function followerIdsSql(sql: postgres.Sql) {
  return sql`(select array_agg(f.user_id order by f.created_at, f.user_id) from ticket_follower f where f.ticket_id = t.id)`
}

/** The facts of one ticket, as JSON in a text. */
export function ticketFactsSql(sql: postgres.Sql, ticketId: number) {
  return sql`(select json_build_object('status', t.status, 'queueId', t.queue_id, 'userId', t.user_id, 'ownerProfile', u.profile,
    'isGroup', t.is_group, 'followerIds', ${followerIdsSql(sql)})::text from ticket t left join "user" u on u.id = t.user_id where t.id = ${ticketId})`
}
