// The rule behind every live screen: what somebody saw before, plus the events told to that person, is what a fresh fetch shows.
import { expect } from 'bun:test'
import {
  canSeeTicket,
  type LiveEvent,
  type Message,
  type Ticket,
  type Viewer,
  type VisibilitySettings,
} from '@balcao/contract'
import { loadMessages } from '../src/desk/messages/present.ts'
import { loadTickets } from '../src/desk/tickets/present.ts'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { Cursor } from '../src/platform/live/cursor.ts'
import { buildFrame } from '../src/platform/live/frames.ts'
import { type LiveRow, readAfter } from '../src/platform/live/reader.ts'
import { waitUntil } from './until.ts'

/** What one person's screens hold. Tickets are taken by version, messages too; a conversation opened later is fetched, not told. */
interface Screen {
  readonly tickets: Map<number, Ticket>
  readonly gone: Map<number, number>
  readonly messages: Map<number, Message>
  /** Tickets whose conversation this screen holds from its first message on. */
  readonly complete: Set<number>
}

/** Does something, then compares for every viewer. `what` names it in the failure. */
export async function verifyEvents(
  db: Db,
  settings: VisibilitySettings,
  viewers: readonly Viewer[],
  title: string,
  work: () => Promise<unknown>,
  /** What messages say of their contact is not told when tickets go to another one: screens fetch those conversations anew. */
  { only }: { readonly only?: 'tickets' } = {},
): Promise<void> {
  const from = await position(db)
  const before = await Promise.all(viewers.map(viewer => freshScreen(db, viewer, settings)))
  await work()
  const rows = await everythingAfter(db, from)
  for (const [at, viewer] of viewers.entries()) {
    const screen = before[at] ?? emptyScreen()
    for (const event of eventsFor(rows, viewer, settings)) take(screen, event)
    const fresh = await freshScreen(db, viewer, settings)
    const label = `${title}, seen by ${viewer.profile} ${viewer.id}`
    expect({ label, tickets: shownTickets(screen) }).toEqual({ label, tickets: shownTickets(fresh) })
    if (only === 'tickets') continue
    expect({ label, messages: shownMessages(screen, screen.complete) }).toEqual({
      label,
      messages: shownMessages(fresh, screen.complete),
    })
  }
}

function eventsFor(rows: readonly LiveRow[], viewer: Viewer, settings: VisibilitySettings): LiveEvent[] {
  const frame = buildFrame(rows, viewer, settings, '0.0')
  if (frame === null) return []
  const { events }: { events: LiveEvent[] } = JSON.parse(frame)
  return events
}

function take(screen: Screen, event: LiveEvent): void {
  switch (event.event) {
    case 'ticket':
      if (event.action === 'delete') removeTicket(screen, event.ticketId, event.version)
      else putTicket(screen, event)
      return
    case 'appMessage':
      if (event.action === 'delete') screen.messages.delete(event.messageId)
      else if ((screen.messages.get(event.message.id)?.version ?? -1) < event.version)
        screen.messages.set(event.message.id, event.message)
      return
    case 'contact':
      if (event.action === 'delete') mergeContact(screen, event.contactId, event.mergedInto)
      else if (event.action !== 'reload')
        for (const [id, ticket] of screen.tickets)
          if (ticket.contactId === event.contact.id) {
            const { name, number, profilePicUrl, tags } = event.contact
            screen.tickets.set(id, { ...ticket, contact: { ...ticket.contact, name, number, profilePicUrl, tags } })
          }
      return
    default:
      return
  }
}

/** Two contacts turned out to be one: what hung on the one now hangs on the other. */
function mergeContact(screen: Screen, from: number, into: number | null): void {
  if (into === null) return
  for (const [id, message] of screen.messages) {
    if (message.contactId !== from) continue
    const author = message.contact.id === from ? into : message.contact.id
    screen.messages.set(id, { ...message, contactId: into, contact: { ...message.contact, id: author } })
  }
}

function putTicket(screen: Screen, event: Extract<LiveEvent, { event: 'ticket'; ticket: Ticket }>): void {
  const { ticket, action } = event
  const known = screen.tickets.get(ticket.id)
  if (known && known.version >= ticket.version) return
  if ((screen.gone.get(ticket.id) ?? -1) >= ticket.version) return
  if (!known && action === 'create' && !screen.gone.has(ticket.id)) screen.complete.add(ticket.id)
  screen.tickets.set(ticket.id, ticket)
}

function removeTicket(screen: Screen, id: number, version: number): void {
  if ((screen.tickets.get(id)?.version ?? -1) > version) return
  screen.gone.set(id, version)
  screen.tickets.delete(id)
  screen.complete.delete(id)
}

async function freshScreen(db: Db, viewer: Viewer, settings: VisibilitySettings): Promise<Screen> {
  const ids = await getSql(db)<{ id: number }[]>`select id from ticket order by id`
  const views = await loadTickets(
    db,
    ids.map(row => row.id),
  )
  const screen = emptyScreen()
  for (const { ticket, facts } of views.values()) {
    if (!canSeeTicket(viewer, facts, settings)) continue
    screen.tickets.set(ticket.id, ticket)
    screen.complete.add(ticket.id)
  }
  const messages = await getSql(db)<{ id: string }[]>`
    select id from message where ticket_id = any(${[...screen.tickets.keys()]}::int[]) order by id`
  for (const message of await loadMessages(
    db,
    messages.map(row => Number(row.id)),
    { viewer, settings },
  ))
    screen.messages.set(message.id, message)
  return screen
}

function emptyScreen(): Screen {
  return { tickets: new Map(), gone: new Map(), messages: new Map(), complete: new Set() }
}

/**
 * The status of a connection is told by events of its own and shown elsewhere. Nobody writes in a closed ticket: until when
 * one might is told when it opens again.
 */
function shownTickets({ tickets }: Screen) {
  return [...tickets.values()]
    .sort((a, b) => a.id - b.id)
    .map(ticket => ({
      ...ticket,
      windowUntil: ticket.status === 'closed' ? 'any' : ticket.windowUntil,
      whatsapp: { ...ticket.whatsapp, status: 'any' },
    }))
}

/** Names of people are taken from the contact and the quoted message, which have events of their own. */
function shownMessages({ messages }: Screen, of: ReadonlySet<number>) {
  return [...messages.values()]
    .filter(message => of.has(message.ticketId))
    .sort((a, b) => a.id - b.id)
    .map(message => ({ ...message, contact: message.contact.id, quotedMsg: message.quotedMsg?.id ?? null }))
}

async function position(db: Db): Promise<Cursor> {
  const [row] = await getSql(db)<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`
  return { xid: row?.xid ?? '0', id: 0 }
}

/** All events behind a cursor, once nothing that runs can still add one. */
async function everythingAfter(db: Db, from: Cursor): Promise<LiveRow[]> {
  const [row] = await getSql(db)<{ xid: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`
  const end = BigInt(row?.xid ?? 0)
  // Those of all databases on the server count: another test may hold one for as long as it likes.
  await waitUntil('older transactions are over', async () => BigInt((await position(db)).xid) >= end)
  return readAfter(db, from, 100_000)
}
