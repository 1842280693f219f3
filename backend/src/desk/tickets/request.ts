// Asking for a ticket a colleague has: whoever has it is told at once and decides (spec 1 §8, "a ticket is already open").
import { canSeeTicket } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createRateLimitError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { isAskPass } from './ask-pass.ts'
import { type LockedTicket, lockAnyTicket, toLogReferences } from './lock.ts'
import { publishTicketEvents } from './present.ts'

/** So long one person's request for one ticket stands before it may be made again. */
const AGAIN_SECONDS = 30
/** So many tickets somebody may ask for within `SPAN_SECONDS`: each rings at a colleague's. */
const MOST_ASKED = 5
const SPAN_SECONDS = 600

/**
 * Tells the person who has a live ticket, or who serves its queue while nobody has it, or else the administrators, that somebody asks
 * for it; the ticket gets a line. Who does not see it needs the pass that told of it, and learns nothing more. Throws
 * `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, `ERR_INVALID_TRANSITION` for a closed or own one, `ERR_TOO_MANY_ATTEMPTS`.
 */
export async function requestTicket(parts: Parts, session: Session, id: number, pass = ''): Promise<void> {
  const { viewer, name } = session
  await change(parts, async tx => {
    const ticket = await lockAnyTicket(tx, id)
    const maySee = canSeeTicket(viewer, ticket.facts, session.settings)
    if (!maySee && !isAskPass(parts.config, { userId: viewer.id, ticketId: id }, pass))
      throw new AppError('ERR_NO_PERMISSION')
    if (ticket.status === 'closed' || ticket.userId === viewer.id)
      throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: ticket.status })
    const sql = getSql(tx)
    // One after the other, so that each is counted by the next.
    await sql`select pg_advisory_xact_lock(hashtext('ticket.ask'), ${viewer.id}::int)`
    const lately = await sql<{ ticketId: number | null; seconds: number }[]>`
      select ticket_id as "ticketId", extract(epoch from now() - created_at)::float8 as seconds from log_entry
      where user_id = ${viewer.id} and action = 'ticket.ask' and created_at > now() - ${SPAN_SECONDS} * interval '1 second'
      order by created_at desc limit ${MOST_ASKED}`
    if (lately.some(({ ticketId, seconds }) => ticketId === id && seconds < AGAIN_SECONDS))
      throw createRateLimitError(AGAIN_SECONDS)
    if (lately.length === MOST_ASKED) throw createRateLimitError(SPAN_SECONDS - (lately.at(-1)?.seconds ?? 0))

    await writeLine(tx, id, viewer.id, createSystemLine(session, 'asked', 'pediu este atendimento'))
    await writeLog(tx, { action: 'ticket.ask', userId: viewer.id, ...toLogReferences(ticket) })

    const [shown] = await sql<{ contact: string; picture: string | null }[]>`
      select c.name as contact, (select profile_pic_url from "user" where id = ${viewer.id}) as picture
      from ticket t join contact c on c.id = t.contact_id where t.id = ${id}`
    await publishTicketEvents(tx, [{ ticketId: id, action: 'update' }])
    const audience = { to: 'users', userIds: await whoCanGive(tx, ticket, viewer.id) } as const
    await appendEvent(tx, audience, {
      event: 'ticketAsked',
      action: 'create',
      version: Date.now(),
      ticketId: id,
      contactName: shown?.contact ?? '',
      user: { id: viewer.id, name, profilePicUrl: shown?.picture ?? null },
      at: new Date().toISOString(),
    })
  })
}

/** Whose ticket it is; else who serves its queue; else, or where none of them is active, the administrators. */
async function whoCanGive(tx: Tx, { userId, queueId }: LockedTicket, askerId: number): Promise<number[]> {
  const people = await getSql(tx)<{ id: number; rank: number | null }[]>`
    select id, rank from (
      select u.id, case when u.id = ${userId} then 1
        when ${userId}::int is null and exists (select 1 from user_queue q where q.user_id = u.id and q.queue_id = ${queueId}) then 2
        when u.profile = 'admin' then 3 end as rank
      from "user" u where u.active and u.deleted_at is null and u.id <> ${askerId}) known
    where rank is not null order by rank, id`
  return people.filter(({ rank }) => rank === people[0]?.rank).map(({ id }) => id)
}
