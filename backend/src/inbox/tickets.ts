// The live ticket of a contact on a connection: found, given back, or opened. The partial unique index decides races.
import type { TicketStatus } from '@balcao/contract'
import { factsOf } from '../access/ticket-facts.ts'
import { isThere } from '../connections/there.ts'
import { presentContact } from '../contacts/familiar.ts'
import { sqlOf } from '../database/raw.ts'
import { ticketEvents } from '../tickets/present.ts'
import { type MessageEvent, type Receiving, secondOf } from './receiving.ts'

export interface OpenedTicket {
  readonly id: number
  readonly isNew: boolean
}

/** What decides whether a ticket may be opened: whose chat, from whom, when. */
export type Opening = Pick<MessageEvent, 'chat' | 'ref' | 'at'>

/**
 * The ticket a message belongs to. Null: the message opens none (typed on the phone while `CheckMsgFromCell`, or its connection was
 * deleted) and there is none to keep it in.
 */
export async function findOrOpenTicket(
  receiving: Receiving,
  named: number,
  opening: Opening,
): Promise<OpenedTicket | null> {
  // It may have been merged since somebody looked it up.
  const contactId = await presentContact(receiving.tx, named)
  const live = await liveTicket(receiving, contactId)
  if (live) return { id: live, isNew: false }
  const last = await lastClosed(receiving, contactId)
  if (!(await isThere(receiving.tx, receiving.connection.id))) return last ? { id: last.id, isNew: false } : null
  if (opening.ref.fromMe && receiving.settings.CheckMsgFromCell) return last ? { id: last.id, isNew: false } : null
  if (last && (await givenBack(receiving, last))) return { id: last.id, isNew: false }
  return openTicket(receiving, contactId, opening)
}

async function liveTicket(receiving: Receiving, contactId: number): Promise<number | null> {
  return (await liveTickets(receiving, [contactId])).get(contactId)?.id ?? null
}

/**
 * The live tickets of many contacts, locked: one that is being closed at this moment is waited for and then is not live any more,
 * otherwise its closing would swallow the message.
 */
export async function liveTickets(
  receiving: Receiving,
  contactIds: readonly number[],
): Promise<Map<number, OpenedTicket>> {
  if (contactIds.length === 0) return new Map()
  const rows = await sqlOf(receiving.tx)<{ id: number; contact_id: number }[]>`
    select id, contact_id from ticket
    where contact_id = any(${[...new Set(contactIds)]}::int[]) and whatsapp_id = ${receiving.connection.id}
      and status in ('pending', 'open', 'paused', 'bot', 'nps')
    order by id for update`
  return new Map(rows.map(row => [row.contact_id, { id: row.id, isNew: false }]))
}

async function lastClosed(
  receiving: Receiving,
  contactId: number,
): Promise<{ id: number; closed_at: string | null } | null> {
  const [row] = await sqlOf(receiving.tx)<{ id: number; closed_at: string | null }[]>`
    select id, closed_at from ticket where contact_id = ${contactId} and whatsapp_id = ${receiving.connection.id} and status = 'closed' order by id desc limit 1`
  return row ?? null
}

/** A contact who writes within `timeCreateNewTicket` minutes of closing gets the same ticket back, waiting (decisions §5), unless its queue is gone. */
async function givenBack(receiving: Receiving, ticket: { id: number }): Promise<boolean> {
  const minutes = receiving.settings.timeCreateNewTicket
  if (minutes === 0) return false
  const before = await factsOf(receiving.tx, ticket.id)
  const rows = await sqlOf(receiving.tx)`
    update ticket set status = 'pending', user_id = null, closed_at = null, updated_at = now(), version = version + 1
    where id = ${ticket.id} and status = 'closed' and closed_at > now() - make_interval(mins => ${minutes})
      and (queue_id is null or queue_id in (select id from queue)) returning 1`
  if (rows.length > 0)
    await ticketEvents(receiving.tx, [{ ticketId: ticket.id, action: 'update', ...(before ? { before } : {}) }])
  return rows.length > 0
}

/** A new ticket waits; it goes to the connection's queue when there is only one. */
async function openTicket(receiving: Receiving, contactId: number, { chat, at }: Opening): Promise<OpenedTicket> {
  const sql = sqlOf(receiving.tx)
  const status: TicketStatus = 'pending'
  const [made] = await sql<{ id: number }[]>`
    insert into ticket (status, contact_id, whatsapp_id, queue_id, is_group, last_message_at, created_at)
    values (${status}, ${contactId}, ${receiving.connection.id},
      (select case when count(*) = 1 then min(queue_id) end from whatsapp_queue where whatsapp_id = ${receiving.connection.id}),
      ${chat.group}, ${secondOf(Math.min(at, Date.now()))}, now())
    on conflict (contact_id, whatsapp_id) where status in ('pending', 'open', 'paused', 'bot', 'nps') do nothing returning id`
  if (made) return { id: made.id, isNew: true }
  const winner = await liveTicket(receiving, contactId)
  if (winner) return { id: winner, isNew: false }
  return openTicket(receiving, contactId, { chat, at, ref: { chat: '', id: '', fromMe: false } })
}
