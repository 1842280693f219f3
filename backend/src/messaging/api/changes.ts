// What changed since a program asked last, out of the log of live events: it is written with every change anyway, so that no ticket and no
// message costs more for it (docs/decisions/0307). The log says which; they are read as they are now, by the rights of now.
import { canSeeTicket, type LiveEvent, type ResponseBody } from '@balcao/contract'
import { loadMessages } from '../../desk/messages/present.ts'
import { loadTickets } from '../../desk/tickets/present.ts'
import type { Db } from '../../platform/database/client.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { createViewMark, formatCursor, parseCursor } from '../../platform/live/cursor.ts'
import { isForViewer } from '../../platform/live/frames.ts'
import {
  type LiveRow,
  measureGap,
  readCurrentPosition,
  readIgnoringForeignTransactions,
} from '../../platform/live/reader.ts'
import { loadFacts } from '../../policy/access/ticket-facts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { pickVisibilitySettings } from '../../policy/settings/read.ts'

const PAGE = 500

/** Tickets that changed, as they are now; `gone`: those that were deleted, or are out of sight. */
export async function listChangedTickets(
  db: Db,
  session: Session,
  cursor: string | undefined,
): Promise<ResponseBody<'GET /tickets/changes'>> {
  const { ids, ...page } = await readChanges(db, session, cursor, readTicketId)
  const visible = await pickVisible(db, session, ids)
  const views = await loadTickets(db, visible)
  const tickets = visible.flatMap(id => views.get(id)?.ticket ?? [])
  return { tickets, gone: without(ids, tickets), ...page }
}

/** The same of messages. */
export async function listChangedMessages(
  db: Db,
  session: Session,
  cursor: string | undefined,
): Promise<ResponseBody<'GET /messages/changes'>> {
  const { ids, ...page } = await readChanges(db, session, cursor, readMessageId)
  const found = await loadMessages(db, ids, session)
  const visible = new Set(await pickVisible(db, session, [...new Set(found.map(({ ticketId }) => ticketId))]))
  const messages = found.filter(({ ticketId }) => visible.has(ticketId))
  return { messages, gone: without(ids, messages), ...page }
}

/** Contacts that are deleted, or somebody else by now. Of many at once nobody is told which: all are read anew then. */
export async function listGoneContacts(
  db: Db,
  session: Session,
  cursor: string | undefined,
): Promise<ResponseBody<'GET /contacts/gone'>> {
  const { ids, ...page } = await readChanges(db, session, cursor, readGoneContactId)
  return ids.includes(MANY) ? { ...page, gone: [], reset: true } : { ...page, gone: ids }
}

const MANY = 0

type ReadId = (event: LiveEvent) => number | null

function readTicketId(event: LiveEvent): number | null {
  if (event.event !== 'ticket') return null
  return event.action === 'delete' ? event.ticketId : event.ticket.id
}

function readMessageId(event: LiveEvent): number | null {
  if (event.event !== 'appMessage') return null
  return event.action === 'delete' ? event.messageId : event.message.id
}

function readGoneContactId(event: LiveEvent): number | null {
  if (event.event !== 'contact') return null
  if (event.action === 'reload') return MANY
  return event.action === 'delete' ? event.contactId : null
}

/**
 * The ids that the next events name, each once, in the order of their last change. `reset`: the cursor is too old, or rights became others
 * since: read all anew. Throws `ERR_VALIDATION` for what is no cursor.
 */
async function readChanges(db: Db, { viewer, settings }: Session, text: string | undefined, readId: ReadId) {
  const visibility = pickVisibilitySettings(settings)
  const mark = createViewMark(viewer, visibility)
  const from = text === undefined ? null : parseCursor(text)
  if (text !== undefined && !from) throw createFieldError('cursor', 'schema.fieldInvalid')
  const isKnown = from !== null && from.mark === mark && (await measureGap(db, from, 0)) !== 'gone'
  if (!isKnown) {
    const nextCursor = formatCursor(await readCurrentPosition(db), mark)
    return { ids: [], reset: from !== null, hasMore: false, nextCursor }
  }
  const rows = await readIgnoringForeignTransactions(db, from, PAGE)
  const seen = rows.filter(row => isForViewer(row, viewer, visibility))
  const ids = [...new Set(seen.flatMap(row => parseId(row, readId)).reverse())].reverse()
  const nextCursor = formatCursor(rows.at(-1) ?? from, mark)
  return { ids, reset: false, hasMore: rows.length === PAGE, nextCursor }
}

/** By their beginning: the others need not be parsed. */
function parseId({ payload }: LiveRow, readId: ReadId): number[] {
  const id = /^\{"event":"(ticket|appMessage|contact)"/.test(payload) ? readId(JSON.parse(payload)) : null
  return id === null ? [] : [id]
}

async function pickVisible(db: Db, { viewer, settings }: Session, ids: readonly number[]): Promise<number[]> {
  const facts = await loadFacts(db, ids)
  return ids.filter(id => {
    const known = facts.get(id)
    return known !== undefined && canSeeTicket(viewer, known, settings)
  })
}

function without(ids: readonly number[], rows: readonly { readonly id: number }[]): number[] {
  const there = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !there.has(id))
}
