// A person says that two contacts are one (decisions-2 §22): what would move, and doing it so that it can be taken back for thirty days.
import { type Contact, foldText, type MergePreview, type ResponseBody } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError } from '../../platform/http/errors.ts'
import { checkSeesLiveTickets } from '../../policy/access/live-tickets.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createSystemLine } from '../messages/system-lines.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { carryFollowers } from '../tickets/followers.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { carryPins } from '../tickets/pins.ts'
import { getContact } from './list.ts'
import { mergedTicketSql, takeWaiting } from './live-tickets.ts'
import { mergeContacts } from './merge.ts'
import { loadMergedFields, snapshotMerge } from './merge-snapshot.ts'
import { loadContacts, publishContactEvents } from './present.ts'
import type { MergeSnapshot } from './table.ts'

/** What a merge of the second contact into the first would do. Throws `ERR_NO_PERMISSION`, `ERR_NO_CONTACT_FOUND`, `ERR_CANNOT_MERGE`, `ERR_ERASURE_WAITING`. */
export async function previewMerge(db: Db, session: Session, intoId: number, fromId: number): Promise<MergePreview> {
  if (!session.mayContacts.edit) throw new AppError('ERR_NO_PERMISSION')
  const [into, from] = await loadContacts(db, [intoId, fromId])
  if (intoId === fromId) throw new AppError('ERR_CANNOT_MERGE')
  if (!into || !from) throw new AppError('ERR_NO_CONTACT_FOUND')
  checkPeople(into, from)
  await checkStaying(db, intoId, fromId)
  await checkSeesLiveTickets(db, session, intoId, fromId)
  const [moving] = await getSql(db)<(Moving & { merged: boolean })[]>`
    select (select count(*)::int from ticket where contact_id = ${fromId}) as tickets,
      (select count(*)::int from protocol where contact_id = ${fromId}) as protocols,
      (select count(*)::int from schedule_contact where contact_id = ${fromId}) as schedules,
      (select count(*)::int from send_recipient r join send s on s.id = r.send_id
        where r.contact_id = ${fromId} and r.state = 'waiting' and s.state <> 'cancelled') as sends,
      (select count(*)::int from ticket a join ticket b on b.whatsapp_id = a.whatsapp_id and b.contact_id = ${fromId} and b.status <> 'closed'
        where a.contact_id = ${intoId} and a.status <> 'closed') as closes,
      coalesce(exists (select 1 from contact where id in (${intoId}, ${fromId}) and merged_into is not null), false) as merged`
  if (!moving || moving.merged) throw new AppError('ERR_NO_CONTACT_FOUND')
  const { merged: _, ...counts } = moving
  return { contact: into, other: from, ...counts, ...newTo(into, from) }
}

/**
 * Merges the second contact into the first. Throws `ERR_NO_PERMISSION` without the right editContact and where one of them has a live
 * ticket that one does not see, `ERR_NO_CONTACT_FOUND` where one of them is gone or was merged already, `ERR_CANNOT_MERGE` for one alone and for groups, `ERR_ERASURE_WAITING` for who is to be erased.
 */
export async function mergeByHand(
  parts: Parts,
  session: Session,
  intoId: number,
  fromId: number,
): Promise<ResponseBody<'POST /contacts/:id/merge'>> {
  if (!session.mayContacts.edit) throw new AppError('ERR_NO_PERMISSION')
  if (intoId === fromId) throw new AppError('ERR_CANNOT_MERGE')
  return change(parts, async tx => {
    await lockBoth(tx, intoId, fromId)
    await checkSeesLiveTickets(tx, session, intoId, fromId)
    const before = await snapshotMerge(tx, intoId, fromId)
    const closed = await closeOne(tx, session, intoId, fromId)
    await unname(tx, before.repeats)
    const doubted = await doubtNumbers(tx, intoId, fromId)
    await mergeContacts(tx, intoId, fromId, session.viewer.id)
    const snapshot: MergeSnapshot = { ...before, after: await loadMergedFields(tx, intoId), closed, doubted }
    const [merge] = await getSql(tx)<{ id: number; until: string }[]>`
      insert into contact_merge (into_id, from_id, user_id, before)
      values (${intoId}, ${fromId}, ${session.viewer.id}, ${toJsonbText(snapshot)}::text::jsonb)
      returning id, at + ${UNDONE_FOR}::interval as until`
    if (!merge) throw new Error('The merge was not kept')
    await publishContactEvents(tx, [intoId])
    return { merge, contact: await getContact(tx, intoId) }
  })
}

/**
 * Where one of them was talked to and the other never was, the number of the other is what a person typed: it is written to once it is proven,
 * as one that was put in place of another (docs/decisions/0265). Gives the numbers.
 */
async function doubtNumbers(tx: Tx, intoId: number, fromId: number): Promise<string[]> {
  const pair = [intoId, fromId]
  const rows = await getSql(tx)<{ value: string }[]>`
    update contact_identity i set is_proven = false
    where i.contact_id = any(${pair}::int[]) and i.kind = 'pn' and i.is_proven
      and not exists (select from ticket t where t.contact_id = i.contact_id)
      and exists (select from ticket t where t.contact_id = any(${pair}::int[])) returning value`
  return rows.map(({ value }) => value)
}

/** How long a merge can be taken back. */
export const UNDONE_FOR = '30 days'

type Moving = Pick<MergePreview, 'tickets' | 'protocols' | 'schedules' | 'sends' | 'closes'>

/** Locks both, and the tickets of the second with what is live of the first (docs/decisions/0153). */
async function lockBoth(tx: Tx, intoId: number, fromId: number): Promise<void> {
  const sql = getSql(tx)
  const rows = await sql<{ id: number; isGroup: boolean }[]>`
    select id, is_group as "isGroup" from contact where id in (${intoId}, ${fromId}) and merged_into is null
    order by id for no key update`
  const [one, other] = rows
  if (!one || !other) throw new AppError('ERR_NO_CONTACT_FOUND')
  checkPeople(one, other)
  await checkStaying(tx, intoId, fromId)
  await sql`
    select 1 from ticket where contact_id = ${fromId} or (contact_id = ${intoId} and status <> 'closed') order by id for update`
}

function checkPeople(...contacts: readonly Pick<Contact, 'isGroup'>[]): void {
  if (contacts.some(({ isGroup }) => isGroup)) throw new AppError('ERR_CANNOT_MERGE')
}

/** Who is to be erased takes nobody else along, and nobody is taken out of it (docs/decisions/0231). With both locked no request comes meanwhile. */
export async function checkStaying(db: Db | Tx, ...ids: readonly number[]): Promise<void> {
  const waiting = await getSql(db)`
    select 1 from privacy_erasure where contact_id = any(${[...ids]}::int[]) and state in ('waiting', 'running')`
  if (waiting.length > 0) throw new AppError('ERR_ERASURE_WAITING')
}

/** Of two live tickets on one connection one ends, closed with a line that says where it goes on. */
async function closeOne(tx: Tx, session: Session, intoId: number, fromId: number): Promise<MergeSnapshot['closed']> {
  const sql = getSql(tx)
  const pairs = await sql<{ goesOn: number; ends: number }[]>`
    select g.id as "goesOn", e.id as ends from ticket g join ticket e on e.whatsapp_id = g.whatsapp_id and ${mergedTicketSql(sql)}
    where g.status <> 'closed' and e.status <> 'closed'
      and (g.contact_id = ${intoId} and e.contact_id = ${fromId} or g.contact_id = ${fromId} and e.contact_id = ${intoId}) order by 2`
  const closed: MergeSnapshot['closed'][number][] = []
  for (const { goesOn, ends } of pairs) {
    const ticket = await lockAnyTicket(tx, ends)
    const pins = await carryPins(tx, ends, goesOn)
    const followers = await carryFollowers(tx, ends, goesOn)
    const waits = await takeWaiting(tx, { goesOn, ends })
    const { closedAt } = await applyTicketPlan(tx, session, ticket, {
      patch: { status: 'closed', closedAt: NOW },
      line: createSystemLine(session, 'merged', `uniu os contatos: a conversa segue no atendimento nº ${goesOn}`, {
        ticket: String(goesOn),
      }),
      log: 'ticket.close',
    })
    closed.push({ id: ends, status: ticket.facts.status, closedAt: closedAt ?? '', goesOn, pins, followers, waits })
  }
  return closed
}

/** Messages that both had stay both: the ones that come lose the provider's id, of which a contact has each only once. */
async function unname(tx: Tx, repeats: MergeSnapshot['repeats']): Promise<void> {
  if (repeats.length > 0)
    await getSql(tx)`update message set provider_id = null where id = any(${repeats.map(({ id }) => id)}::bigint[])`
}

/** What the first one would get that it has not. */
function newTo(into: Contact, from: Contact) {
  return {
    numbers: from.numbers.filter(number => !into.numbers.includes(number)),
    tags: from.tags.filter(tag => !into.tags.some(own => own.id === tag.id)),
    redirect: from.redirect.filter(row => !into.redirect.some(own => own.queueId === row.queueId)),
    extraInfo: from.extraInfo.filter(info => !into.extraInfo.some(own => foldText(own.name) === foldText(info.name))),
  }
}
