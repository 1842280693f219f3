// Two live tickets of what turned out to be one person, on one connection: one goes on.
import type { TicketStatus } from '@balcao/contract'
import type postgres from 'postgres'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import { lastMessageSql } from '../messages/last-message.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { carryFollowers } from '../tickets/followers.ts'
import { type LockedTicket, lockAnyTicket } from '../tickets/lock.ts'
import { carryPins } from '../tickets/pins.ts'
import { publishTicketDeletion, publishTicketEvents } from '../tickets/present.ts'
import type { TicketWait } from './table.ts'

/** `goesOn` in which both go on, `ends` which they do not; the status and the past are of the latter. */
interface Pair {
  readonly goesOn: number
  readonly ends: number
  readonly status: TicketStatus
  /** Somebody served it, or it was closed before: its times, ratings and protocols are counted. */
  readonly hasPast: boolean
}

/**
 * Where both contacts have a live ticket on one connection, the younger ticket goes on in the older one, unless that is over but for its
 * survey (docs/decisions/0244): it is closed where it has a past, and gone where it has none. Gives the ids of the messages that were
 * carried over.
 */
export async function joinLiveTickets(tx: Tx, into: number, from: number): Promise<number[]> {
  const pairs = await getSql(tx)<Pair[]>`
    select g.id as "goesOn", e.id as ends, e.status,
      exists (select 1 from ticket_span s where s.ticket_id = e.id and s.status in ('open', 'nps', 'closed')) as "hasPast"
    from ticket g join ticket e on e.whatsapp_id = g.whatsapp_id and ${mergedTicketSql(getSql(tx))}
    where g.status <> 'closed' and e.status <> 'closed'
      and (g.contact_id = ${into} and e.contact_id = ${from} or g.contact_id = ${from} and e.contact_id = ${into})
    order by 1 for update`
  const carriedOver: number[] = []
  for (const pair of pairs) {
    const { goesOn, ends, hasPast } = pair
    // Whose ticket is followed is nearer to a person than one with the bot: it goes on as that one does.
    await carryFollowers(tx, ends, goesOn, true)
    const before = (await loadFacts(tx, [goesOn])).get(goesOn)
    const ticket = await lockAnyTicket(tx, ends)
    const carried = await carryOver(tx, pair)
    carriedOver.push(...carried)
    // What was carried over goes from the screens with it; where it stays, its closing brings it back.
    if (carried.length > 0 || !hasPast) await publishTicketDeletion(tx, ends, ticket.version + 1, ticket.facts)
    await carryPins(tx, ends, goesOn)
    // Two live ones of one contact there are never, not for a moment.
    await takeWaiting(tx, pair)
    await getSql(tx)`update ticket set status = 'closed' where id = ${ends}`
    await goOn(tx, into, pair)
    await (hasPast ? close(tx, pair, ticket) : drop(tx, pair))
    // It may have taken the other one's queue: who cannot see it any more must hear of it.
    await publishTicketEvents(tx, [{ ticketId: goesOn, action: 'update', before }])
  }
  return carriedOver
}

/** Of two live tickets, `e` ends in `g`: the younger one, but a survey ends where there is more to do. A flow of the younger one goes on with it. */
export function mergedTicketSql(sql: postgres.Sql) {
  return sql`case when g.status = 'nps' then e.status = 'nps' and e.id > g.id else e.status = 'nps' or e.id > g.id end`
}

/**
 * Carries the messages of the one that ends over: all of them, or with a past those since it was closed last; of a survey nothing goes on.
 * Gives their ids, in the order of the conversation.
 */
async function carryOver(tx: Tx, { goesOn, ends, status, hasPast }: Pair): Promise<number[]> {
  if (hasPast && status === 'nps') return []
  const sql = getSql(tx)
  const rows = await sql<{ id: number; seq: number }[]>`
    with start as (select message_seq as seq from ticket where id = ${goesOn}),
    since as (select coalesce(max(begun_at), '-infinity') as at from ticket_span where ticket_id = ${ends} and status = 'closed'),
    numbered as (
      select m.id, row_number() over (order by m.at, m.seq) as n from message m, since
      where m.ticket_id = ${ends} and m.created_at >= since.at)
    update message m set ticket_id = ${goesOn}, seq = start.seq + numbered.n, version = m.version + 1,
      client_id = case when not exists (select 1 from message k where k.ticket_id = ${goesOn} and k.client_id = m.client_id) then m.client_id end
    from numbered, start where m.id = numbered.id returning m.id::float8 as id, m.seq`
  const carried = toIds(rows.toSorted((a, b) => a.seq - b.seq))
  await sql`
    update media set ticket_id = ${goesOn} where owner = 'message' and ticket_id = ${ends}
      and id in (select media_id from message where id = any(${carried}::bigint[]))`
  if (carried.length > 0) {
    await sql`
      update ticket o set last_message = y.last_message, last_message_id = y.last_message_id, last_message_type = y.last_message_type,
        last_message_from_me = y.last_message_from_me, last_message_state = y.last_message_state, last_message_at = y.last_message_at
      from ticket y where o.id = ${goesOn} and y.id = ${ends} and y.last_message_at >= date_trunc('second', o.last_message_at)`
    if (hasPast) await showLast(sql, ends)
  }
  return carried
}

/** The list shows the last words that stayed. */
async function showLast(sql: postgres.Sql, id: number): Promise<void> {
  await sql`
    update ticket t set last_message = coalesce(l.words, ''), last_message_id = l.id, last_message_type = coalesce(l.type, 'chat'),
      last_message_from_me = coalesce(l.from_me, false), last_message_state = l.state, last_message_at = coalesce(l.at, t.created_at)
    from (select 1) one left join lateral (select m.id, m.from_me, m.at, ${lastMessageSql(sql)} from message m
      where m.ticket_id = ${id} and m.media_type <> 'system' order by m.at desc nulls last, m.seq desc nulls last limit 1) l on true
    where t.id = ${id}`
}

/**
 * The customer waits for one answer, since the first of what was carried over: where one ends nothing was answered. Gives how long both
 * waited before.
 */
export async function takeWaiting(tx: Tx, { goesOn, ends }: Pick<Pair, 'goesOn' | 'ends'>): Promise<TicketWait[]> {
  const sql = getSql(tx)
  const before = await sql<TicketWait[]>`
    select id, answer_since as "answerSince", answered_at as "answeredAt" from ticket where id in (${goesOn}, ${ends}) order by id`
  await sql`
    update ticket o set answer_since = least(o.answer_since, y.answer_since), answered_at = greatest(o.answered_at, y.answered_at)
    from ticket y where o.id = ${goesOn} and y.id = ${ends}`
  await sql`update ticket set answer_since = null where id = ${ends}`
  return [...before]
}

/** The ticket as both together stand: where the one that ends was nearer to a person it goes on as that did. */
async function goOn(tx: Tx, into: number, { goesOn, ends, status }: Pair): Promise<void> {
  const sql = getSql(tx)
  const [row] = await sql<{ takes: boolean }[]>`
    select coalesce(y.near > o.near or y.near = o.near and o.user_id is null and y.user_id is not null, false) as takes
    from (select user_id, ${nearness(sql, sql`status`)} as near from ticket where id = ${goesOn}) o,
      (select user_id, ${nearness(sql, sql`${status}`)} as near from ticket where id = ${ends}) y`
  const took = row?.takes
    ? sql`status = ${status}, queue_id = y.queue_id, user_id = y.user_id, accepted_at = y.accepted_at, pause_tag = y.pause_tag, pause_until = y.pause_until, paused_by = y.paused_by,
        menus_shown = y.menus_shown, menu_shown_at = y.menu_shown_at, bot_misses = y.bot_misses, bot_turns = y.bot_turns,`
    : status === 'nps'
      ? sql``
      : sql`queue_id = coalesce(o.queue_id, y.queue_id),`
  await sql`
    update ticket o set ${took} contact_id = ${into}, message_seq = o.message_seq + y.message_seq,
      unread_messages = o.unread_messages + y.unread_messages, updated_at = now(), version = o.version + 1
    from ticket y where o.id = ${goesOn} and y.id = ${ends}`
}

/** How near a ticket is to a person: a survey is over, who waits comes before who is with the bot, and who is served before both. */
function nearness(sql: postgres.Sql, status: postgres.PendingQuery<postgres.Row[]>) {
  return sql`case ${status} when 'nps' then 0 when 'bot' then 1 when 'pending' then 2 else 3 end`
}

/** Closes the one that ends, which keeps its times, ratings and protocols, with a line that says where the conversation goes on. */
async function close(tx: Tx, { goesOn }: Pair, ticket: LockedTicket): Promise<void> {
  const line = {
    code: 'joined',
    text: `Os dois contatos são a mesma pessoa: a conversa segue no atendimento nº ${goesOn}`,
    params: { ticket: String(goesOn) },
  }
  const patch = { status: 'closed', closedAt: NOW, unreadMessages: 0 } as const
  await applyTicketPlan(tx, null, ticket, { patch, line, log: 'ticket.close' })
}

/** What nobody served is gone; what was said of it is the other ticket's. */
async function drop(tx: Tx, { goesOn, ends }: Pair): Promise<void> {
  const sql = getSql(tx)
  await sql`update protocol set ticket_id = ${goesOn} where ticket_id = ${ends}`
  await sql`update rating set ticket_id = ${goesOn} where ticket_id = ${ends}`
  await sql`delete from ticket where id = ${ends}`
}
