// The live ticket of a contact on a connection: found, given back, or opened. The partial unique index decides races.
import { type FollowUpConversation, isOptOutMessage, shouldOpenTicket } from '@balcao/contract'
import { isOnlyThanks } from '@balcao/contract/follow-up/phrases'
import type postgres from 'postgres'
import { isConnectionPresent } from '../../desk/connections/existing.ts'
import { lockMergedContact } from '../../desk/contacts/merged-id.ts'
import { publishTicketEvents } from '../../desk/tickets/present.ts'
import { tickets } from '../../desk/tickets/table.ts'
import type { InboundMessage } from '../../platform/channel/driver.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findFacts } from '../../policy/access/ticket-facts.ts'
import { type InboxBatch, type OpenedTicket, toWholeSecond } from './batch.ts'

/** What decides whether a ticket may be opened: whose chat, from whom, when; for what is `quiet` nobody is to wait. */
export type TicketOpening = Pick<InboundMessage, 'chat' | 'ref' | 'at' | 'mediaType'> & { readonly quiet: boolean }

/**
 * The ticket a message belongs to. Null: it was typed on the phone while `CheckMsgFromCell` and no conversation is live, or it opens none (by
 * its kind, or its connection was deleted) and there is none to keep it in.
 */
export async function findOrOpenTicket(
  receiving: InboxBatch,
  named: number,
  opening: TicketOpening,
): Promise<OpenedTicket | null> {
  // It may have been merged since somebody looked it up.
  const contactId = await lockMergedContact(receiving.tx, named)
  const live = await liveTicket(receiving, contactId)
  if (live) return live
  const last = await lastClosed(receiving, contactId)
  if (opening.quiet) return last ?? openTicket(receiving, contactId, opening)
  if (!shouldOpenTicket(opening) || !(await isConnectionPresent(receiving.tx, receiving.connection.id))) return last
  // It waits for the answer (unanswered.ts): in a conversation that is over, whoever takes the next one would not read it.
  if (opening.ref.fromMe && receiving.settings.CheckMsgFromCell) return null
  return (last && (await givenBack(receiving, last))) ?? openTicket(receiving, contactId, opening)
}

/**
 * Tickets for contacts without a live one, each with what it says first, in one statement. Who is missing says nothing that opens one, gets an
 * older one back or was given one at this moment: `findOrOpenTicket` looks at each of these by itself. The contacts are held by the caller.
 */
export async function openTickets(
  receiving: InboxBatch,
  first: ReadonlyMap<number, InboundMessage>,
): Promise<ReadonlyMap<number, OpenedTicket>> {
  const { tx, connection, settings } = receiving
  const rows = [...first].flatMap(([id, event]) => {
    const { chat, ref, at } = event
    const opens = shouldOpenTicket(event) && !(ref.fromMe && settings.CheckMsgFromCell) && !mayBeQuiet(receiving, event)
    return opens ? { id, is_group: chat.group, at: toWholeSecond(Math.min(at, Date.now())) } : []
  })
  if (rows.length === 0 || !(await isConnectionPresent(tx, connection.id))) return new Map()
  const opened = await getSql(tx)<{ id: number; contactId: number; isGroup: boolean; hasUnanswered: boolean }[]>`
    with opened as (
      insert into ticket (status, contact_id, whatsapp_id, is_group, last_message_at)
      select 'pending', x.id, ${connection.id}, x.is_group, x.at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id int, is_group boolean, at timestamptz)
      where not exists (select from ticket t where t.contact_id = x.id and t.whatsapp_id = ${connection.id} and t.status = 'closed'
        and t.closed_at > now() - make_interval(mins => ${settings.timeCreateNewTicket}))
      order by x.id on conflict do nothing returning id, contact_id, is_group)
    select o.id, o.contact_id as "contactId", o.is_group as "isGroup", exists (
      select from raw_event r where r.whatsapp_id = ${connection.id} and r.waits_for in (
        select 'answer:' || c.id from contact c where c.id = o.contact_id or c.merged_into = o.contact_id)) as "hasUnanswered"
    from opened o`
  return new Map(
    opened.map(({ id, contactId, isGroup, hasUnanswered }) => {
      return [contactId, { ...beginTicket(id, 'pending', isGroup), hasUnanswered }]
    }),
  )
}

/** Whether a closer look is needed to know that somebody is to be rung for it. */
function mayBeQuiet({ settings }: InboxBatch, { past, body }: InboundMessage): boolean {
  return past === true || isOptOutMessage(body, settings) || isOnlyThanks(body)
}

/** Whether somebody only thanks for a ticket that was resolved a moment ago (`thanksMinutes`), surveyed or closed: it is kept there and rings nobody. */
export async function isThanksForResolved(
  { tx, connection, settings: { thanksMinutes } }: InboxBatch,
  contactId: number,
  { ref, chat, mediaType, body }: Pick<InboundMessage, 'ref' | 'chat' | 'mediaType' | 'body'>,
): Promise<boolean> {
  if (thanksMinutes === 0 || ref.fromMe || chat.group || mediaType !== 'chat' || !isOnlyThanks(body)) return false
  const [last] = await getSql(tx)<{ isJustResolved: boolean }[]>`
    select coalesce(case status when 'closed' then closed_at when 'nps' then (
      select max(begun_at) from ticket_span where ticket_id = ticket.id and status = 'nps' and ended_at is null)
      end > now() - make_interval(mins => ${thanksMinutes}), false) as "isJustResolved" from ticket
    where contact_id = ${contactId} and whatsapp_id = ${connection.id} order by status = 'closed', id desc limit 1`
  return last?.isJustResolved ?? false
}

async function liveTicket(receiving: InboxBatch, contactId: number): Promise<OpenedTicket | undefined> {
  return (await lockLiveTickets(receiving, [contactId])).get(contactId)
}

/**
 * The live tickets of many contacts, locked: one that is being closed at this moment is waited for and then is not live any more,
 * otherwise its closing would swallow the message.
 */
export async function lockLiveTickets(
  receiving: InboxBatch,
  contactIds: readonly number[],
): Promise<Map<number, OpenedTicket>> {
  if (contactIds.length === 0) return new Map()
  const sql = getSql(receiving.tx)
  const rows = await sql<(TicketRow & { hasUnanswered: boolean })[]>`
    select ${ticketColumnsSql(sql)},
      coalesce(exists (select from raw_event r where r.whatsapp_id = ticket.whatsapp_id and r.waits_for = 'answer:' || contact_id), false) as "hasUnanswered"
    from ticket
    where contact_id = any(${[...new Set(contactIds)]}::int[]) and whatsapp_id = ${receiving.connection.id}
      and status in ('pending', 'open', 'paused', 'bot', 'nps')
    order by id for update`
  return new Map(rows.map(({ hasUnanswered, ...row }) => [row.contactId, toOpenedTicket(row, hasUnanswered)]))
}

async function lastClosed(receiving: InboxBatch, contactId: number): Promise<OpenedTicket | null> {
  const sql = getSql(receiving.tx)
  const [row] = await sql<TicketRow[]>`
    select ${ticketColumnsSql(sql)} from ticket
    where contact_id = ${contactId} and whatsapp_id = ${receiving.connection.id} and status = 'closed' order by id desc nulls last limit 1`
  return row ? toOpenedTicket(row) : null
}

function ticketColumnsSql(sql: postgres.Sql) {
  return sql`id, contact_id as "contactId", status, queue_id as "queueId", is_group as "isGroup", menus_shown as "menusShown",
    bot_misses as "botMisses", bot_turns as "botTurns", menu_shown_at as "menuShownAt", told_closed_at is not null as "isToldClosed"`
}

/** Of nobody an answer is waited for. */
export const NO_ANSWERS = { menusShown: null, botMisses: 0, botTurns: 0 } as const

interface TicketRow extends Omit<FollowUpConversation, 'isNew'> {
  readonly id: number
  readonly contactId: number
  readonly menuShownAt: string | null
}

function toOpenedTicket(
  { id, contactId: _, menuShownAt, ...conversation }: TicketRow,
  hasUnanswered = false,
): OpenedTicket {
  return {
    id,
    conversation: { ...conversation, isNew: false },
    menuShownAt: menuShownAt ? Date.parse(menuShownAt) : null,
    hasUnanswered,
  }
}

/** A contact who writes within `timeCreateNewTicket` minutes of closing gets the same ticket back, waiting (decisions §5), unless its queue is gone. */
async function givenBack(receiving: InboxBatch, closed: OpenedTicket): Promise<OpenedTicket | null> {
  const { id, conversation } = closed
  const minutes = receiving.settings.timeCreateNewTicket
  if (minutes === 0) return null
  const before = await findFacts(receiving.tx, id)
  const rows = await getSql(receiving.tx)`
    update ticket set status = 'pending', user_id = null, closed_at = null, menus_shown = null, updated_at = now(), version = version + 1
    where id = ${id} and status = 'closed' and closed_at > now() - make_interval(mins => ${minutes})
      and (queue_id is null or queue_id in (select id from queue)) returning 1`
  if (rows.length === 0) return null
  await publishTicketEvents(receiving.tx, [{ ticketId: id, action: 'update', before }])
  return { ...closed, conversation: { ...conversation, status: 'pending', menusShown: null } }
}

/** A new ticket waits; one for what was said long ago is over. */
async function openTicket(receiving: InboxBatch, contactId: number, opening: TicketOpening): Promise<OpenedTicket> {
  const status = opening.quiet ? 'closed' : 'pending'
  const isGroup = opening.chat.group
  const [made] = await receiving.tx
    .insert(tickets)
    .values({
      status,
      closedAt: opening.quiet ? toWholeSecond(opening.at) : null,
      contactId,
      whatsappId: receiving.connection.id,
      isGroup,
      lastMessageAt: toWholeSecond(Math.min(opening.at, Date.now())),
    })
    .onConflictDoNothing()
    .returning({ id: tickets.id })
  if (made) return beginTicket(made.id, status, isGroup)
  return (await liveTicket(receiving, contactId)) ?? openTicket(receiving, contactId, opening)
}

function beginTicket(id: number, status: 'closed' | 'pending', isGroup: boolean): OpenedTicket {
  const conversation = { ...NO_ANSWERS, isNew: true, isGroup, status, queueId: null, isToldClosed: false }
  return { id, conversation, menuShownAt: null, hasUnanswered: false }
}
