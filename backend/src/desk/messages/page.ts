// A page of a conversation: newest first by index, given oldest first; `cursor` goes on to older or newer ones, `around` to one message.
import { LIMITS, type QueryParams, type ResponseBody, type TicketFacts } from '@balcao/contract'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { type AccessContext, checkSees, ticketFactsSql } from '../../policy/access/ticket-facts.ts'
import { parseDateBound } from '../../policy/calendar/days.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadNames } from '../names/known-names.ts'
import { type Conversation, resolveConversation } from './conversation.ts'
import { type MessagePosition, type MessageRange, messageRangeSql, newestMessagesSql } from './conversation-range.ts'
import { type MessagePageRow, type MessageRow, messagePageSql, nameMessages, presentMessages } from './present.ts'
import { unreadSql } from './unread.ts'

type Query = QueryParams<'GET /messages/:ticketId'>
type Page = ResponseBody<'GET /messages/:ticketId'>

const REFUSED: Page = { messages: [], hasMore: false, count: 0, nextCursor: null, newerCursor: null, refused: true }

/** A page of the conversation a ticket belongs to (spec 1 §7). Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, `ERR_NO_MESSAGE_FOUND`. */
export async function loadMessagePage(db: Db, session: Session, ticketId: number, query: Query): Promise<Page> {
  const refuseAhead = (error: unknown) => {
    if (query.ahead && error instanceof AppError) return null
    throw error
  }
  const limit = query.limit ?? LIMITS.messagesPage
  const isNewest =
    !query.unread &&
    query.around === undefined &&
    query.at === undefined &&
    query.cursor === undefined &&
    !query.pageNumber
  const newest = isNewest ? await loadNewest(db, session, ticketId, limit + 1).catch(refuseAhead) : []
  if (newest && newest.length > 0) return presentPage(db, session, newest.slice(0, limit), newest.length > limit)
  const conversation = newest && (await resolveConversation(db, session, ticketId).catch(refuseAhead))
  if (!conversation) return REFUSED
  const around = query.unread ? await findFirstUnread(db, ticketId) : null
  if (around) return { ...(await loadPageAround(db, session, conversation, around, limit)), unreadFrom: around.id }
  if (query.around !== undefined) {
    const position = await findPosition(db, conversation, query.around)
    return loadPageAround(db, session, conversation, position, limit)
  }
  if (query.at !== undefined) {
    const at = parseDateBound('at', query.at, 0, session.settings.timezone)
    return loadPageAround(db, session, conversation, { at, ticketId: 0, seq: 0 }, limit)
  }
  const skip = query.cursor === undefined ? ((query.pageNumber ?? 1) - 1) * limit : 0
  if (skip > 10_000) throw createFieldError('pageNumber', 'call.useCursor')
  const from = query.cursor === undefined ? null : parsePageCursor(query.cursor)
  const rows = await loadRange(db, conversation, { to: from?.to ?? 'older', from, limit: limit + 1, skip })
  const isLonger = rows.length > limit
  return from?.to === 'newer'
    ? presentPage(db, session, rows.slice(0, limit).reverse(), true, isLonger)
    : presentPage(db, session, rows.slice(0, limit), isLonger)
}

interface PositionRow {
  readonly id: number
  readonly at: string
  readonly ticketId: number
  readonly seq: number
}

/** Of the ticket's last messages of the customer, as many as are unread, the first. */
async function findFirstUnread(db: Db, ticketId: number): Promise<PositionRow | null> {
  const [row] = await getSql(getPageDatabase(db))<PositionRow[]>`
    select m.id::float8 as id, m.at, m.ticket_id as "ticketId", m.seq from (
      select id, at, ticket_id, seq from message where ${unreadSql(getSql(db), ticketId)}
      order by at desc nulls last, seq desc nulls last limit (select unread_messages from ticket where id = ${ticketId})
    ) m order by m.at, m.seq limit 1`
  return row ?? null
}

/** Throws `ERR_NO_MESSAGE_FOUND` unless the message is part of the conversation. */
async function findPosition(db: Db, { ticketIds }: Conversation, messageId: number): Promise<PositionRow> {
  const [row] = await getSql(getPageDatabase(db))<PositionRow[]>`
    select id::float8 as id, at, ticket_id as "ticketId", seq from message where id = ${messageId}`
  if (!row || !ticketIds.includes(row.ticketId)) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return row
}

async function loadPageAround(
  db: Db,
  session: Session,
  conversation: Conversation,
  from: MessagePosition,
  limit: number,
): Promise<Page> {
  const half = Math.max(1, Math.floor(limit / 2))
  const [after, before] = await Promise.all([
    loadRange(db, conversation, { to: 'newer', from: { ...from, included: true }, limit: half + 1 }),
    loadRange(db, conversation, { to: 'older', from, limit: half + 1 }),
  ])
  const page = after.slice(0, half).reverse().concat(before.slice(0, half))
  return presentPage(db, session, page, before.length > half, after.length > half)
}

/**
 * The newest messages of a ticket's conversation, in the statement that finds it, which is how nearly every conversation is opened; none where
 * that cannot tell them (`newestMessagesSql`). Throws `ERR_NO_PERMISSION`.
 */
async function loadNewest(db: Db, session: Session, ticketId: number, limit: number): Promise<MessageRow[]> {
  const sql = getSql(getPageDatabase(db))
  const contact = sql`(select contact_id from ticket where id = ${ticketId})`
  const ids = sql`array(${newestMessagesSql(sql, session, ticketId, limit)})`
  const rows = await sql<
    (MessagePageRow & { readonly place: string | null })[]
  >`${messagePageSql(sql, contact, ids, ticketFactsSql(sql, ticketId))}`
  const facts: TicketFacts | undefined = rows[0]?.place ? JSON.parse(rows[0].place) : undefined
  if (rows[0]) checkSees(session, facts)
  return nameAndSort(db, rows, -1)
}

/** Messages of a conversation, the nearest first: which ones and what is shown of them, in one statement. */
export async function loadRange(db: Db, conversation: Conversation, range: MessageRange): Promise<MessageRow[]> {
  const sql = getSql(getPageDatabase(db))
  const ids = sql`array(${messageRangeSql(sql, conversation, range)})`
  const rows = await sql<MessagePageRow[]>`${messagePageSql(sql, sql`${conversation.contactId}`, ids)}`
  return nameAndSort(db, rows, range.to === 'newer' ? 1 : -1)
}

async function nameAndSort(db: Db, rows: readonly MessagePageRow[], sign: 1 | -1): Promise<MessageRow[]> {
  const names = rows[0] && (await loadNames(db, rows[0].nameRevision))
  return (names ? nameMessages(rows, names) : []).sort((one, other) => sign * compareMessages(one, other))
}

function compareMessages(one: MessageRow, other: MessageRow): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1
  return one.ticketId - other.ticketId || one.seq - other.seq
}

/** A page of these, oldest first; the cursors go on behind the oldest and the newest. */
export async function presentPage(
  db: Db,
  reader: AccessContext,
  newestFirst: readonly MessageRow[],
  hasMore: boolean,
  hasNewer = false,
): Promise<Page> {
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)]
  const messages = await presentMessages(db, newestFirst.toReversed(), reader)
  return {
    messages,
    hasMore,
    count: messages.length,
    nextCursor: hasMore && oldest ? formatPageCursor(oldest, 'older') : null,
    newerCursor: hasNewer && newest ? formatPageCursor(newest, 'newer') : null,
  }
}

/** A cursor says where to go on and in which direction. */
function formatPageCursor(row: MessageRow, to: 'older' | 'newer'): string {
  const sign = to === 'newer' ? '>' : ''
  return Buffer.from(`${sign}${row.createdAt}|${row.ticketId}|${row.seq}`).toString('base64url')
}

/** The place a cursor names. Throws `ERR_VALIDATION`. */
export function parsePageCursor(cursor: string): MessagePosition & { readonly to: 'older' | 'newer' } {
  const match = /^(>?)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|(\d{1,10})\|(\d{1,10})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  )
  if (!match?.[2]) throw createFieldError('cursor', 'call.cursor')
  const to = match[1] === '>' ? 'newer' : 'older'
  return { to, at: match[2], ticketId: Number(match[3]), seq: Number(match[4]) }
}
