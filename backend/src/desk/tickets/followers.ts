// Colleagues who were asked into a ticket: they see it, comment, and answer only once they take it over (docs/decisions/0316).
import { FOLLOWERS_MOST, type Ticket } from '@balcao/contract'
import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { checkServes, loadFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import type { CarriedMark } from '../contacts/table.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { patchTicket, patchTickets } from './change.ts'
import { type LockedTicket, lockTicket, lockVisibleTicket, toLogReferences } from './lock.ts'
import { loadTickets, loadTicketView, publishTicketEvents } from './present.ts'
import { ticketFollowers, tickets } from './table.ts'

const LIVE: readonly string[] = ['pending', 'open', 'paused']

/** What a person follows, newest activity first. A follower sees the ticket for as long as the row is there. */
export async function listFollowed(db: Db, { viewer }: Session): Promise<Ticket[]> {
  const rows = await db
    .select({ id: tickets.id })
    .from(ticketFollowers)
    .innerJoin(tickets, eq(tickets.id, ticketFollowers.ticketId))
    .where(eq(ticketFollowers.userId, viewer.id))
    .orderBy(desc(tickets.lastMessageAt), desc(tickets.id))
  const views = await loadTickets(db, toIds(rows))
  return [...views.values()].map(({ ticket }) => ticket)
}

/**
 * Asks a colleague in, who need not have the queue. Following already: nothing happens. Throws `ERR_INVALID_TRANSITION` where nobody is
 * served, `ERR_NO_USER_FOUND`, `ERR_VALIDATION` for who has the ticket and where so many follow it.
 */
export async function addFollower(parts: Parts, session: Session, id: number, userId: number): Promise<Ticket> {
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, id)
    const { status, facts } = ticket
    if (facts.followerIds?.includes(userId)) return (await loadTicketView(tx, id)).ticket
    if (!LIVE.includes(status)) throw new AppError('ERR_INVALID_TRANSITION', { from: status, to: status })
    const name = await lockColleague(tx, session, userId)
    if (ticket.userId === userId) throw createFieldError('userId', 'call.servesAlready')
    if ((facts.followerIds?.length ?? 0) >= FOLLOWERS_MOST)
      throw createFieldError('userId', 'call.followers', { most: FOLLOWERS_MOST })
    await getSql(tx)`insert into ticket_follower (user_id, ticket_id) values (${userId}, ${id})`
    await writeLine(
      tx,
      id,
      session.viewer.id,
      userId === session.viewer.id
        ? createSystemLine(session, 'follows', 'acompanha o atendimento')
        : createSystemLine(session, 'followed', `chamou ${name} para acompanhar`, { to: name }),
    )
    return publishFollowers(tx, session, ticket, 'ticket.follow')
  })
}

/** Who works on the ticket ends it for anybody, a follower for themselves. Not following: nothing happens. */
export async function removeFollower(parts: Parts, session: Session, id: number, userId: number): Promise<void> {
  await change(parts, async tx => {
    const ticket = await lockVisibleTicket(tx, session, id)
    if (userId !== session.viewer.id) checkServes(session, ticket.facts)
    if (!ticket.facts.followerIds?.includes(userId)) return
    const [person] = await getSql(tx)<{ name: string }[]>`
      with gone as (delete from ticket_follower where ticket_id = ${id} and user_id = ${userId} returning user_id)
      select u.name from gone join "user" u on u.id = gone.user_id`
    const to = person?.name ?? ''
    await writeLine(
      tx,
      id,
      session.viewer.id,
      userId === session.viewer.id
        ? createSystemLine(session, 'unfollows', 'não acompanha mais')
        : createSystemLine(session, 'unfollowed', `encerrou o acompanhamento de ${to}`, { to }),
    )
    await publishFollowers(tx, session, ticket, 'ticket.unfollow')
  })
}

/** Who leaves the company, or is not let in, follows nothing any more. The person's row is locked. */
export async function endFollowing(tx: Tx, userId: number): Promise<void> {
  const sql = getSql(tx)
  const ids = toIds(
    await sql<
      { id: number }[]
    >`select ticket_id as id from ticket_follower where user_id = ${userId} order by ticket_id`,
  )
  if (ids.length === 0) return
  const before = await loadFacts(tx, ids)
  await sql`delete from ticket_follower where user_id = ${userId} and ticket_id = any(${ids}::int[])`
  await patchTickets(tx, ids, {})
  await publishTicketEvents(
    tx,
    ids.map(ticketId => ({ ticketId, action: 'update', before: before.get(ticketId) })),
  )
}

/**
 * Who follows a ticket that ends follows the one that goes on for it, unless they serve it or it stays with the bot (`leavesBot`: it does
 * not). Gives the followers of the one that ends, and which of them the other one got.
 */
export async function carryFollowers(
  tx: Tx,
  ends: number,
  goesOn: number,
  leavesBot = false,
): Promise<readonly CarriedMark[]> {
  const statuses = [...LIVE, ...(leavesBot ? ['bot'] : [])]
  const followers = await getSql(tx)<CarriedMark[]>`
    with carried as (
      insert into ticket_follower (user_id, ticket_id, created_at)
      select f.user_id, g.id, f.created_at from ticket_follower f join ticket g on g.id = ${goesOn}
      where f.ticket_id = ${ends} and f.user_id is distinct from g.user_id and g.status = any(${statuses})
      on conflict do nothing returning user_id)
    select f.user_id as "userId", f.created_at as at, c.user_id is not null as "isCarried"
    from ticket_follower f left join carried c on c.user_id = f.user_id where f.ticket_id = ${ends} order by f.user_id`
  if (followers.some(({ isCarried }) => isCarried))
    await publishTicketEvents(tx, [{ ticketId: goesOn, action: 'update' }])
  return followers
}

/**
 * Takes `carryFollowers` back: the ticket that went on loses whom it got, and the one that had ended has its own again where somebody is
 * served. Who left the company follows nothing. The events are the caller's.
 */
export async function returnFollowers(
  tx: Tx,
  ended: number,
  wentOn: number,
  followers: readonly CarriedMark[],
): Promise<void> {
  const sql = getSql(tx)
  const carried = sql`jsonb_to_recordset(${toJsonbText(followers)}::text::jsonb) as x("userId" int, at timestamptz, "isCarried" boolean)`
  await sql`
    delete from ticket_follower f using ${carried}
    where f.ticket_id = ${wentOn} and f.user_id = x."userId" and f.created_at = x.at and x."isCarried"`
  await sql`
    with staff as (
      select u.id, x.at from ${carried} join "user" u on u.id = x."userId" and u.active and u.deleted_at is null order by u.id for share of u)
    insert into ticket_follower (user_id, ticket_id, created_at) select staff.id, t.id, staff.at
    from staff join ticket t on t.id = ${ended} and t.status = any(${[...LIVE]}) and t.user_id is distinct from staff.id
    on conflict do nothing`
  await patchTickets(tx, [wentOn, ended], {})
}

/** The name of a colleague who stays active until the transaction ends. */
async function lockColleague(tx: Tx, { viewer }: Session, userId: number): Promise<string> {
  const [person] = await getSql(tx)<{ name: string }[]>`
    select name from "user" where id = ${userId} and active and deleted_at is null for share`
  if (!person || (userId !== viewer.id && isHidden(viewer, userId))) throw new AppError('ERR_NO_USER_FOUND')
  return person.name
}

/** Their ticket is a newer one: pages that show it know who follows it now, and who no longer sees it loses it. */
async function publishFollowers(
  tx: Tx,
  { viewer, name }: Session,
  ticket: LockedTicket,
  action: 'ticket.follow' | 'ticket.unfollow',
): Promise<Ticket> {
  await patchTicket(tx, ticket.id, {})
  await writeLog(tx, { action, userId: viewer.id, ...toLogReferences(ticket) })
  const handed = { by: name, why: '' }
  await publishTicketEvents(tx, [
    { ticketId: ticket.id, action: 'update', before: ticket.facts, by: viewer.id, handed },
  ])
  return (await loadTicketView(tx, ticket.id)).ticket
}
