// The live ticket of a contact on a connection: found, given back, or opened. The partial unique index decides races.
import { MESSAGE_KINDS } from '@balcao/contract'
import { factsOf } from '../access/ticket-facts.ts'
import { isThere } from '../connections/there.ts'
import { presentContact } from '../contacts/familiar.ts'
import { sqlOf } from '../database/raw.ts'
import { ticketEvents } from '../tickets/present.ts'
import { tickets } from '../tickets/table.ts'
import { type MessageEvent, type OpenedTicket, type Receiving, secondOf } from './receiving.ts'

/** What decides whether a ticket may be opened: whose chat, from whom, when. */
export type Opening = Pick<MessageEvent, 'chat' | 'ref' | 'at' | 'past' | 'mediaType'>

/**
 * The ticket a message belongs to. Null: the message opens none (by its kind, typed on the phone while `CheckMsgFromCell`, or its connection was
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
  if (live) return live
  const last = await lastClosed(receiving, contactId)
  if (opening.past) return last ?? openTicket(receiving, contactId, opening)
  const opensNone =
    !MESSAGE_KINDS[opening.mediaType].opensTicket || (opening.ref.fromMe && receiving.settings.CheckMsgFromCell)
  if (opensNone || !(await isThere(receiving.tx, receiving.connection.id))) return last
  return last && (await givenBack(receiving, last.id)) ? last : openTicket(receiving, contactId, opening)
}

async function liveTicket(receiving: Receiving, contactId: number): Promise<OpenedTicket | undefined> {
  return (await liveTickets(receiving, [contactId])).get(contactId)
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

async function lastClosed(receiving: Receiving, contactId: number): Promise<OpenedTicket | null> {
  const [row] = await sqlOf(receiving.tx)<{ id: number }[]>`
    select id from ticket where contact_id = ${contactId} and whatsapp_id = ${receiving.connection.id} and status = 'closed' order by id desc limit 1`
  return row ? { id: row.id, isNew: false } : null
}

/** A contact who writes within `timeCreateNewTicket` minutes of closing gets the same ticket back, waiting (decisions §5), unless its queue is gone. */
async function givenBack(receiving: Receiving, id: number): Promise<boolean> {
  const minutes = receiving.settings.timeCreateNewTicket
  if (minutes === 0) return false
  const before = await factsOf(receiving.tx, id)
  const rows = await sqlOf(receiving.tx)`
    update ticket set status = 'pending', user_id = null, closed_at = null, updated_at = now(), version = version + 1
    where id = ${id} and status = 'closed' and closed_at > now() - make_interval(mins => ${minutes})
      and (queue_id is null or queue_id in (select id from queue)) returning 1`
  if (rows.length > 0) await ticketEvents(receiving.tx, [{ ticketId: id, action: 'update', before }])
  return rows.length > 0
}

/** A new ticket waits; one for what was said long ago is over. */
async function openTicket(receiving: Receiving, contactId: number, opening: Opening): Promise<OpenedTicket> {
  const [made] = await receiving.tx
    .insert(tickets)
    .values({
      status: opening.past ? 'closed' : 'pending',
      closedAt: opening.past ? secondOf(opening.at) : null,
      contactId,
      whatsappId: receiving.connection.id,
      isGroup: opening.chat.group,
      lastMessageAt: secondOf(Math.min(opening.at, Date.now())),
    })
    .onConflictDoNothing()
    .returning({ id: tickets.id })
  if (made) return { id: made.id, isNew: true }
  return (await liveTicket(receiving, contactId)) ?? openTicket(receiving, contactId, opening)
}
