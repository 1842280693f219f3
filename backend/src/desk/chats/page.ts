// A page of an internal chat, and finding messages in it.
import { type ChatMessage, LIMITS, type RequestBody, type ResponseBody } from '@balcao/contract'
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { containsWordsSql, foldSearchWords } from '../tickets/search-conditions.ts'
import { loadReadableChat } from './access.ts'
import { loadChatMessages } from './present-messages.ts'
import { chatMessages } from './table.ts'

interface Row {
  readonly id: number
  readonly seq: number
}

/** A page, oldest first; `cursor` goes to older or newer ones, `around` to one message, `unread` to the first that is not read. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`, `ERR_NO_MESSAGE_FOUND`. */
export async function loadChatPage(
  db: Db,
  session: Session,
  { chatId, around, unread, cursor, pageNumber, limit = LIMITS.messagesPage }: RequestBody<'POST /chats/messages/get'>,
): Promise<ResponseBody<'POST /chats/messages/get'>> {
  await loadReadableChat(db, session, chatId)
  if (around !== undefined) return pageAround(db, chatId, await findSeq(db, chatId, around), limit)
  const first = unread ? await findFirstUnread(db, chatId, session.viewer.id) : null
  if (first) return { ...(await pageAround(db, chatId, first.seq, limit)), unreadFrom: first.id }
  const skip = cursor === undefined ? ((pageNumber ?? 1) - 1) * limit : 0
  if (skip > 10_000) throw createFieldError('pageNumber', 'call.useCursor')
  const place = cursor === undefined ? null : parseCursor(cursor)
  if (place?.to === 'newer') {
    const rows = await newer(db, chatId, place.seq + 1, limit + 1)
    return present(db, rows.slice(0, limit).reverse(), true, rows.length > limit)
  }
  const rows = await older(db, chatId, place?.seq ?? null, skip + limit + 1)
  return present(db, rows.slice(skip, skip + limit), rows.length > skip + limit, false)
}

/** At most 50 messages that hold every word, newest first. */
export async function searchChat(db: Db, session: Session, chatId: number, text: string): Promise<ChatMessage[]> {
  if (text.trim() === '') throw createFieldError('messageToSearch', 'call.searchMissing')
  await loadReadableChat(db, session, chatId)
  const words = await foldSearchWords(db, text)
  const sql = getSql(getPageDatabase(db))
  const rows = await sql<Row[]>`
    select id::float8 as id, seq from chat_message where chat_id = ${chatId} and not is_deleted
      and ${containsWordsSql(sql, sql`f_norm(body || coalesce(E'\\n' || (media->>'name'), ''))`, words)}
    order by seq desc limit ${LIMITS.searchResults}`
  return loadChatMessages(db, toIds(rows))
}

/** Of what the others wrote behind the last that this person has read, the first. */
async function findFirstUnread(db: Db, chatId: number, userId: number): Promise<Row | null> {
  const [row] = await getSql(getPageDatabase(db))<Row[]>`
    select m.id::float8 as id, m.seq from chat_message m
    where m.chat_id = ${chatId} and m.sender_id <> ${userId} and not m.is_deleted and m.seq > (
      select c.read_seq from chat_member c where c.chat_id = ${chatId} and c.user_id = ${userId} and c.unread > 0)
    order by m.seq limit 1`
  return row ?? null
}

/** Throws `ERR_NO_MESSAGE_FOUND`. */
async function findSeq(db: Db, chatId: number, id: number): Promise<number> {
  const { seq } = chatMessages
  const [found] = await db
    .select({ seq })
    .from(chatMessages)
    .where(and(eq(chatMessages.id, id), eq(chatMessages.chatId, chatId)))
  if (!found) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return found.seq
}

async function pageAround(db: Db, chatId: number, seq: number, limit: number) {
  const half = Math.max(1, Math.floor(limit / 2))
  const after = await newer(db, chatId, seq, half + 1)
  const before = await older(db, chatId, seq, half + 1)
  const page = after.slice(0, half).reverse().concat(before.slice(0, half))
  return present(db, page, before.length > half, after.length > half)
}

async function newer(db: Db, chatId: number, from: number, limit: number): Promise<Row[]> {
  const { id, seq } = chatMessages
  const there = and(eq(chatMessages.chatId, chatId), gte(seq, from))
  return getPageDatabase(db).select({ id, seq }).from(chatMessages).where(there).orderBy(seq).limit(limit)
}

async function older(db: Db, chatId: number, before: number | null, limit: number): Promise<Row[]> {
  const { id, seq } = chatMessages
  const there = and(eq(chatMessages.chatId, chatId), before === null ? undefined : lt(seq, before))
  return getPageDatabase(db).select({ id, seq }).from(chatMessages).where(there).orderBy(desc(seq)).limit(limit)
}

async function present(db: Db, newestFirst: readonly Row[], hasMore: boolean, hasNewer: boolean) {
  const [newest, oldest] = [newestFirst[0], newestFirst.at(-1)]
  const messages = await loadChatMessages(db, toIds(newestFirst).reverse())
  return {
    messages,
    hasMore,
    count: messages.length,
    nextCursor: hasMore && oldest ? `s${oldest.seq}` : null,
    newerCursor: hasNewer && newest ? `n${newest.seq}` : null,
  }
}

function parseCursor(cursor: string): { readonly to: 'older' | 'newer'; readonly seq: number } {
  const match = /^([sn])(\d{1,9})$/.exec(cursor)
  if (!match?.[2]) throw createFieldError('cursor', 'call.cursor')
  return { to: match[1] === 'n' ? 'newer' : 'older', seq: Number(match[2]) }
}
