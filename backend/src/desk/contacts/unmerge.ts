// A merge that a person made is taken back (decisions-2 §22): both contacts, their names and tickets as they were. What came since stays with
// the first one, but for what was said in a ticket that goes back: a message is nowhere without its ticket (docs/decisions/0220).
import type { ResponseBody } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError } from '../../platform/http/errors.ts'
import { checkSeesLiveTickets } from '../../policy/access/live-tickets.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createSystemLine, writeLine } from '../messages/system-lines.ts'
import { returnFollowers } from '../tickets/followers.ts'
import { returnPins } from '../tickets/pins.ts'
import { publishTicketEvents } from '../tickets/present.ts'
import { lockAssignee } from '../users/assignee.ts'
import { getContact } from './list.ts'
import { checkStaying, UNDONE_FOR } from './merge-by-hand.ts'
import { publishContactEvents } from './present.ts'
import { putBack } from './put-back.ts'
import { contactMerges, type MergeSnapshot, type TicketWait } from './table.ts'

interface Merge {
  readonly intoId: number
  readonly fromId: number
  readonly before: MergeSnapshot
}

/**
 * Takes a merge back. Throws `ERR_NO_PERMISSION` without the right editContact and where a ticket that is live, before or after, is
 * not seen, `ERR_NO_MERGE_FOUND` after its time, `ERR_MERGED_AGAIN`
 * where one of a later day has to be taken back first, and `ERR_ERASURE_WAITING` for who is to be erased.
 */
export async function undoMerge(
  parts: Parts,
  session: Session,
  id: number,
): Promise<ResponseBody<'DELETE /contacts/merges/:id'>> {
  if (!session.mayContacts.edit) throw new AppError('ERR_NO_PERMISSION')
  return change(parts, async tx => {
    const merge = await lockMerge(tx, id)
    const { intoId, fromId, before } = merge
    const serving = await lockServing(tx, session, before)
    const moved = await lockTickets(tx, merge)
    const facts = await loadFacts(tx, moved)
    await putBack(tx, merge)
    const reopened = await reopen(tx, before, serving)
    await putBackWaiting(tx, before, reopened)
    for (const { id: ended, goesOn, pins = [], followers = [] } of before.closed) {
      if (goesOn !== undefined && pins.length > 0) await returnPins(tx, ended, goesOn, pins)
      if (goesOn !== undefined && followers.length > 0) await returnFollowers(tx, ended, goesOn, followers)
    }
    await checkSeesLiveTickets(tx, session, intoId, fromId)
    for (const ticketId of reopened)
      await writeLine(
        tx,
        ticketId,
        session.viewer.id,
        createSystemLine(session, 'unmerged', 'desfez a união dos contatos: o atendimento volta como estava'),
      )
    await tx.delete(contactMerges).where(eq(contactMerges.id, id))
    const undone = { action: 'contact.unmerge', userId: session.viewer.id } as const
    await writeLogs(tx, [
      { ...undone, contactId: intoId, params: { contactId: fromId } },
      { ...undone, contactId: fromId, params: { contactId: intoId } },
      ...reopened.map(ticketId => ({ action: 'ticket.reopen', userId: session.viewer.id, ticketId }) as const),
    ])
    await publishContactEvents(tx, [fromId], 'create')
    await publishContactEvents(tx, [intoId])
    await publishTicketEvents(
      tx,
      moved.map(ticketId => ({ ticketId, action: 'update', before: facts.get(ticketId), by: session.viewer.id })),
    )
    return { contact: await getContact(tx, intoId), other: await getContact(tx, fromId) }
  })
}

/** Merges that can no longer be taken back are forgotten. */
export async function sweepMerges(db: Db): Promise<number> {
  const { count } = await getSql(db)`delete from contact_merge where at < now() - ${UNDONE_FOR}::interval`
  return count
}

/** The contact that lives, the one that was merged, then the merge: locked, and as they must stand for it. */
async function lockMerge(tx: Tx, id: number): Promise<Merge> {
  const sql = getSql(tx)
  const [known] = await sql<{ intoId: number; fromId: number }[]>`
    select into_id as "intoId", from_id as "fromId" from contact_merge where id = ${id}`
  if (!known) throw new AppError('ERR_NO_MERGE_FOUND')
  const { intoId, fromId } = known
  const lock = (id: number) => sql<{ mergedInto: number | null }[]>`
    select merged_into as "mergedInto" from contact where id = ${id} for no key update`
  const [into] = await lock(intoId)
  if (!into) throw new AppError('ERR_NO_MERGE_FOUND')
  if (into.mergedInto !== null) throw new AppError('ERR_MERGED_AGAIN')
  const [from] = await lock(fromId)
  const [merge] = await sql<{ before: MergeSnapshot; isLast: boolean }[]>`
    select m.before, not exists (select 1 from contact_merge l where l.into_id = m.into_id and l.id > m.id) as "isLast"
    from contact_merge m where m.id = ${id} and m.at > now() - ${UNDONE_FOR}::interval for update`
  if (!merge || !from) throw new AppError('ERR_NO_MERGE_FOUND')
  if (!merge.isLast || from.mergedInto !== intoId) throw new AppError('ERR_MERGED_AGAIN')
  await checkStaying(tx, intoId, fromId)
  return { intoId, fromId, before: merge.before }
}

/** The tickets that were moved or closed and are still of the first one, and those of it that are live. */
async function lockTickets(tx: Tx, { intoId, before }: Merge): Promise<number[]> {
  const ids = [...new Set([...before.ticketIds, ...before.closed.map(({ id }) => id)])]
  const rows = await getSql(tx)<{ id: number }[]>`
    select id from ticket where contact_id = ${intoId} and (id = any(${ids}::int[]) or status <> 'closed') order by id for update`
  return rows.map(({ id }) => id)
}

/** Those of what was closed for the merge whose person may have them still, locked. Before the tickets, some of which may be that person's (docs/decisions/0208). */
async function lockServing(tx: Tx, { settings }: Session, { closed }: MergeSnapshot): Promise<number[]> {
  const owned = await getSql(tx)<{ id: number; userId: number; queueId: number | null }[]>`
    select id, user_id as "userId", queue_id as "queueId" from ticket
    where id = any(${toIds(closed)}::int[]) and user_id is not null order by user_id, id`
  const serving: number[] = []
  for (const { id, userId, queueId } of owned) if (await lockAssignee(tx, userId, queueId, settings)) serving.push(id)
  return serving
}

/**
 * What was closed for the merge is live again, unless somebody did something with it, or what it needs is gone. Whose person may not have
 * it any more, it waits; what waits for a rating stays with whoever resolved it.
 */
async function reopen(tx: Tx, { closed }: MergeSnapshot, serving: readonly number[]): Promise<number[]> {
  const rows = await getSql(tx)<{ id: number }[]>`
    update ticket t set closed_at = null, updated_at = now(), version = t.version + 1,
      status = case when c.status in ('open', 'paused') and not can.serve then 'pending' else c.status end,
      user_id = case when can.serve then t.user_id end,
      accepted_at = case when can.serve then t.accepted_at end, answer_since = c."answerSince", answered_at = c."answeredAt"
    from jsonb_to_recordset(${toJsonbText(closed.map(withWait))}::text::jsonb)
        as c(id int, status text, "closedAt" timestamptz, "answerSince" timestamptz, "answeredAt" timestamptz),
      lateral (select c.id = any(${[...serving]}::int[]) or c.status = 'nps' as serve) can
    where t.id = c.id and t.status = 'closed' and t.closed_at = c."closedAt"
      and not exists (select 1 from ticket o where o.contact_id = t.contact_id and o.whatsapp_id = t.whatsapp_id and o.status <> 'closed')
      and exists (select 1 from whatsapp w where w.id = t.whatsapp_id and w.deleted_at is null)
      and (t.queue_id is null or exists (select 1 from queue q where q.id = t.queue_id))
    returning t.id`
  const ids = rows.map(({ id }) => id)
  await takeBackClosings(tx, ids)
  return ids
}

type ClosedTicket = MergeSnapshot['closed'][number]

function withWait(closed: ClosedTicket): ClosedTicket & Partial<TicketWait> {
  return { ...closed.waits?.find(({ id }) => id === closed.id), ...closed }
}

/** Nobody waits in a ticket that was without a question; the one that went on waits as it did, unless it was answered meanwhile. */
async function putBackWaiting(tx: Tx, { closed }: MergeSnapshot, reopened: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  for (const { id, goesOn, waits = [] } of closed) {
    const [ended, own] = [waits.find(wait => wait.id === id), waits.find(wait => wait.id === goesOn)]
    if (!reopened.includes(id) || !ended || !own) continue
    if (ended.answerSince === null) await sql`update ticket set answer_since = null where id = ${id}`
    // Once without a question, so that what comes back is no answer to one.
    const untouched = await sql`
      update ticket set answer_since = null where id = ${own.id}
        and answer_since is not distinct from least(${own.answerSince}::timestamptz, ${ended.answerSince}::timestamptz)
        and answered_at is not distinct from greatest(${own.answeredAt}::timestamptz, ${ended.answeredAt}::timestamptz)`
    if (untouched.count > 0)
      await sql`
        update ticket set answer_since = ${own.answerSince}::timestamptz, answered_at = ${own.answeredAt}::timestamptz
        where id = ${own.id}`
  }
}

/**
 * The closing is none of their periods any more, nor a service of anybody: what they stood in goes on, but for who was being served. That
 * one was not meanwhile, and so it is a pause.
 */
async function takeBackClosings(tx: Tx, ticketIds: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  const closings = await sql<{ id: number; before: number; wasOpen: boolean }[]>`
    select c.id::float8 as id, p.id::float8 as before, p.status = 'open' as "wasOpen"
    from unnest(${[...ticketIds]}::int[]) t(id)
      cross join lateral (select * from ticket_span s where s.ticket_id = t.id order by s.id desc limit 1) c
      cross join lateral (select * from ticket_span s where s.ticket_id = t.id and s.id < c.id order by s.id desc limit 1) p
    where c.status = 'closed'`
  const [served, others] = [closings.filter(({ wasOpen }) => wasOpen), closings.filter(({ wasOpen }) => !wasOpen)]
  await sql`delete from ticket_figure where span_id = any(${toIds(served)}::bigint[])`
  await sql`
    update ticket_span set status = 'paused', ended_at = null, ended_work = null where id = any(${toIds(served)}::bigint[])`
  await sql`delete from ticket_span where id = any(${toIds(others)}::bigint[])`
  await sql`
    update ticket_span set ended_at = null, ended_work = null where id = any(${others.map(({ before }) => before)}::bigint[])`
}
