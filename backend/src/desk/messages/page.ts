// A page of a conversation: newest first by index, given oldest first; `cursor` goes on to older or newer ones, `around` to one message.
import { LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import type { AccessContext } from '../../policy/access/ticket-facts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type Conversation, resolveConversation } from './conversation.ts'
import { loadMessages } from './present.ts'

type Query = QueryParams<'GET /messages/:ticketId'>
type Page = ResponseBody<'GET /messages/:ticketId'>

/** A place in the order of messages: provider's time, then ticket, then number in the ticket. */
interface MessagePosition {
  readonly at: string
  readonly ticketId: number
  readonly seq: number
}
/** A message by its place. */
export interface MessageKeyRow {
  id: string
  at: string
  ticket_id: number
  seq: number
}

const REFUSED: Page = { messages: [], hasMore: false, count: 0, nextCursor: null, newerCursor: null, refused: true }

/** A page of the conversation a ticket belongs to (spec 1 §7). Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, `ERR_NO_MESSAGE_FOUND`. */
export async function loadMessagePage(db: Db, session: Session, ticketId: number, query: Query): Promise<Page> {
  const conversation = await resolveConversation(db, session, ticketId).catch((error: unknown) => {
    if (query.ahead && error instanceof AppError) return null
    throw error
  })
  if (!conversation) return REFUSED
  const limit = query.limit ?? LIMITS.messagesPage
  if (query.unread) {
    const unreadFrom = await firstUnread(db, ticketId)
    if (unreadFrom !== null) return { ...(await pageAround(db, session, conversation, unreadFrom, limit)), unreadFrom }
  }
  if (query.around !== undefined) return pageAround(db, session, conversation, query.around, limit)
  const skip = query.cursor === undefined ? ((query.pageNumber ?? 1) - 1) * limit : 0
  if (skip > 10_000) throw createFieldError('pageNumber', 'call.useCursor')
  const from = query.cursor === undefined ? null : parsePageCursor(query.cursor)
  if (from?.to === 'newer') {
    const rows = await newer(db, conversation, from, '>', limit + 1)
    return presentPage(db, session, rows.slice(0, limit).reverse(), true, rows.length > limit)
  }
  const rows = await older(db, conversation, from, skip + limit + 1)
  return presentPage(db, session, rows.slice(skip, skip + limit), rows.length > skip + limit, false)
}

/** Of the ticket's last messages of the customer, as many as are unread, the first. */
async function firstUnread(db: Db, ticketId: number): Promise<number | null> {
  const [row] = await getSql(db)<{ id: string }[]>`
    select m.id from (
      select id, at, seq from message where ticket_id = ${ticketId} and not read and not from_me
      order by at desc, seq desc limit (select unread_messages from ticket where id = ${ticketId})
    ) m order by m.at, m.seq limit 1`
  return row ? Number(row.id) : null
}

async function pageAround(
  db: Db,
  session: Session,
  conversation: Conversation,
  messageId: number,
  limit: number,
): Promise<Page> {
  const sql = getSql(db)
  const [found] = await sql<MessageKeyRow[]>`
    select id, at, ticket_id, seq from message where id = ${messageId} and ticket_id = any(${[...conversation.ticketIds]}::int[])`
  if (!found) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const place = { at: found.at, ticketId: found.ticket_id, seq: found.seq }
  const half = Math.max(1, Math.floor(limit / 2))
  const after = await newer(db, conversation, place, '>=', half + 1)
  const before = await older(db, conversation, place, half + 1)
  const page = after.slice(0, half).reverse().concat(before.slice(0, half))
  return presentPage(db, session, page, before.length > half, after.length > half)
}

async function newer(
  db: Db,
  conversation: Conversation,
  from: MessagePosition,
  than: '>' | '>=',
  limit: number,
): Promise<MessageKeyRow[]> {
  const sql = getSql(db)
  return sql<MessageKeyRow[]>`
    select m.id, m.at, m.ticket_id, m.seq from message m
    where ${inConversation(sql, conversation)}
      and (m.at, m.ticket_id, m.seq) ${than === '>' ? sql`>` : sql`>=`} (${from.at}::timestamptz, ${from.ticketId}::int, ${from.seq}::int)
    order by m.at nulls first, m.ticket_id nulls first, m.seq nulls first limit ${limit}`
}

async function older(
  db: Db,
  conversation: Conversation,
  before: MessagePosition | null,
  limit: number,
): Promise<MessageKeyRow[]> {
  const sql = getSql(db)
  return sql<MessageKeyRow[]>`
    select m.id, m.at, m.ticket_id, m.seq from message m
    where ${inConversation(sql, conversation)}
      ${before ? sql`and (m.at, m.ticket_id, m.seq) < (${before.at}::timestamptz, ${before.ticketId}::int, ${before.seq}::int)` : sql``}
    order by m.at desc nulls last, m.ticket_id desc nulls last, m.seq desc nulls last limit ${limit}`
}

/** One ticket is a range of its own index; several are a range of the contact's. */
function inConversation(sql: postgres.Sql, { contactId, ticketIds }: Conversation) {
  return ticketIds.length === 1
    ? sql`m.contact_id = ${contactId} and m.ticket_id = ${ticketIds[0] ?? 0}`
    : sql`m.contact_id = ${contactId} and m.ticket_id = any(${[...ticketIds]}::int[])`
}

/** A page of these, oldest first; the cursors go on behind the oldest and the newest. */
export async function presentPage(
  db: Db,
  reader: AccessContext,
  newestFirst: readonly MessageKeyRow[],
  hasMore: boolean,
  hasNewer = false,
): Promise<Page> {
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)]
  const messages = await loadMessages(db, toIds(newestFirst).reverse(), reader)
  return {
    messages,
    hasMore,
    count: messages.length,
    nextCursor: hasMore && oldest ? formatPageCursor(oldest, 'older') : null,
    newerCursor: hasNewer && newest ? formatPageCursor(newest, 'newer') : null,
  }
}

/** A cursor says where to go on and in which direction. */
function formatPageCursor(row: MessageKeyRow, to: 'older' | 'newer'): string {
  const sign = to === 'newer' ? '>' : ''
  return Buffer.from(`${sign}${row.at}|${row.ticket_id}|${row.seq}`).toString('base64url')
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
