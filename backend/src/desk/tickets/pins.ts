// Conversations a person keeps on top of the list: their own choice, of live ones, and no more than one looks over at once.
import { canSeeTicket, PINS_MOST, type RequestBody, type Ticket } from '@balcao/contract'
import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { CarriedMark } from '../contacts/table.ts'
import { lockVisibleTicket } from './lock.ts'
import { loadTickets } from './present.ts'
import { ticketPins } from './table.ts'

/** The pinned tickets of a person that they may still see; the one pinned first comes first. */
export async function listPinned(db: Db, { viewer, settings }: Session): Promise<Ticket[]> {
  const { ticketId, userId, createdAt } = ticketPins
  const rows = await db
    .select({ ticketId })
    .from(ticketPins)
    .where(eq(userId, viewer.id))
    .orderBy(asc(createdAt), asc(ticketId))
  const views = await loadTickets(
    db,
    rows.map(row => row.ticketId),
  )
  return [...views.values()].flatMap(({ ticket, facts }) => (canSeeTicket(viewer, facts, settings) ? [ticket] : []))
}

/**
 * Pins a live ticket for whoever asks, or lets go of it; all their pages are told. Throws `ERR_INVALID_TRANSITION` for a closed one and
 * `ERR_VALIDATION` where so many are pinned already.
 */
export async function pinTicket(
  parts: Parts,
  session: Session,
  ticketId: number,
  { pinned }: RequestBody<'PUT /tickets/:id/pin'>,
): Promise<void> {
  const userId = session.viewer.id
  await change(parts, async tx => {
    const sql = getSql(tx)
    if (pinned) {
      const ticket = await lockVisibleTicket(tx, session, ticketId)
      if (ticket.status === 'closed') throw new AppError('ERR_INVALID_TRANSITION', { from: 'closed', to: 'pinned' })
      await checkRoom(tx, session, ticketId)
      await sql`insert into ticket_pin (user_id, ticket_id) values (${userId}, ${ticketId}) on conflict do nothing`
    } else await sql`delete from ticket_pin where user_id = ${userId} and ticket_id = ${ticketId}`
    await publishPin(tx, [userId], ticketId, pinned)
  })
}

/**
 * Who keeps a ticket that ends on top of their list keeps there the one that goes on for it. Gives the pins of the one that ends, and which
 * of them the other one got.
 */
export async function carryPins(tx: Tx, ends: number, goesOn: number): Promise<readonly CarriedMark[]> {
  const pins = await getSql(tx)<CarriedMark[]>`
    with carried as (
      insert into ticket_pin (user_id, ticket_id, created_at)
      select user_id, ${goesOn}, created_at from ticket_pin where ticket_id = ${ends} on conflict do nothing returning user_id)
    select p.user_id as "userId", p.created_at as at, c.user_id is not null as "isCarried"
    from ticket_pin p left join carried c on c.user_id = p.user_id where p.ticket_id = ${ends} order by p.user_id`
  const people = pins.flatMap(({ userId, isCarried }) => (isCarried ? userId : []))
  if (people.length > 0) await publishPin(tx, people, goesOn, true)
  return pins
}

/** Takes `carryPins` back: the ticket that went on loses what it got, and the one that had ended has its own again if it is live. */
export async function returnPins(tx: Tx, ended: number, wentOn: number, pins: readonly CarriedMark[]): Promise<void> {
  const sql = getSql(tx)
  const carried = sql`jsonb_to_recordset(${toJsonbText(pins)}::text::jsonb) as x("userId" int, at timestamptz, "isCarried" boolean)`
  const lost = await sql<{ id: number }[]>`
    delete from ticket_pin p using ${carried}
    where p.ticket_id = ${wentOn} and p.user_id = x."userId" and p.created_at = x.at and x."isCarried" returning p.user_id as id`
  const back = await sql<{ id: number }[]>`
    insert into ticket_pin (user_id, ticket_id, created_at) select u.id, t.id, x.at
    from ${carried} join "user" u on u.id = x."userId" and u.deleted_at is null join ticket t on t.id = ${ended} and t.status <> 'closed'
    on conflict do nothing returning user_id as id`
  if (lost.length > 0) await publishPin(tx, toIds(lost), wentOn, false)
  if (back.length > 0) await publishPin(tx, toIds(back), ended, true)
}

/** Tells the pages of these people that a ticket is on top of their list, or no more. */
function publishPin(tx: Tx, userIds: readonly number[], ticketId: number, pinned: boolean): Promise<void> {
  const event = { event: 'ticketPin', action: 'update', version: Date.now(), ticketId, pinned } as const
  return appendEvent(tx, { to: 'users', userIds }, event)
}

/** One pin of a person after the other, so that each is counted by the next. What they see no more takes no room, and is let go of. */
async function checkRoom(tx: Tx, { viewer, settings }: Session, ticketId: number): Promise<void> {
  const sql = getSql(tx)
  await sql`select pg_advisory_xact_lock(hashtext('ticket.pin'), ${viewer.id}::int)`
  const rows = await sql<{ id: number }[]>`
    select ticket_id as id from ticket_pin where user_id = ${viewer.id} and ticket_id <> ${ticketId}`
  const views = await loadTickets(
    tx,
    rows.map(row => row.id),
  )
  const unseen = [...views.values()].flatMap(({ ticket, facts }) =>
    canSeeTicket(viewer, facts, settings) ? [] : ticket.id,
  )
  if (unseen.length > 0)
    await sql`delete from ticket_pin where user_id = ${viewer.id} and ticket_id = any(${unseen}::int[])`
  if (rows.length - unseen.length >= PINS_MOST) throw createFieldError('pinned', 'call.pins', { most: PINS_MOST })
}
