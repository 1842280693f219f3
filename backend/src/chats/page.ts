// A page of an internal chat, and finding messages in it.
import { type AnswerOf, type BodyOf, type ChatMessage, LIMITS } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Session } from '../sessions/authenticate.ts'
import { pattern } from '../tickets/search.ts'
import { chatToRead } from './access.ts'
import { loadChatMessages } from './present-messages.ts'

interface Row {
  id: string
  seq: number
}

/** A page, oldest first; `cursor` goes to older ones, `around` to one message. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`, `ERR_NO_MESSAGE_FOUND`. */
export async function chatPage(
  db: Db,
  session: Session,
  { chatId, around, cursor, pageNumber, limit = LIMITS.messagesPage }: BodyOf<'POST /chats/messages/get'>,
): Promise<AnswerOf<'POST /chats/messages/get'>> {
  await chatToRead(db, session, chatId)
  if (around !== undefined) return pageAround(db, chatId, around, limit)
  const skip = cursor === undefined ? ((pageNumber ?? 1) - 1) * limit : 0
  if (skip > 10_000) throw new AppError('ERR_VALIDATION', [{ path: 'pageNumber', message: 'use cursor' }])
  const rows = await older(db, chatId, cursor === undefined ? null : seqOf(cursor), skip + limit + 1)
  return present(db, rows.slice(skip, skip + limit), rows.length > skip + limit)
}

/** At most 50 messages that hold a text, newest first. */
export async function searchChat(db: Db, session: Session, chatId: number, text: string): Promise<ChatMessage[]> {
  if (text.trim() === '')
    throw new AppError('ERR_VALIDATION', [{ path: 'messageToSearch', message: 'Digite o que procurar' }])
  await chatToRead(db, session, chatId)
  const rows = await sqlOf(db)<Row[]>`
    select id, seq from chat_message where chat_id = ${chatId} and not is_deleted
      and f_norm(body) like f_norm(${pattern(text)}) escape '!'
    order by seq desc limit ${LIMITS.searchResults}`
  return loadChatMessages(
    db,
    rows.map(row => Number(row.id)),
  )
}

async function pageAround(db: Db, chatId: number, id: number, limit: number) {
  const sql = sqlOf(db)
  const [found] = await sql<Row[]>`select id, seq from chat_message where id = ${id} and chat_id = ${chatId}`
  if (!found) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const half = Math.max(1, Math.floor(limit / 2))
  const newer = await sql<Row[]>`
    select id, seq from chat_message where chat_id = ${chatId} and seq >= ${found.seq} order by seq limit ${half}`
  const before = await older(db, chatId, found.seq, half + 1)
  return present(db, [...newer].reverse().concat(before.slice(0, half)), before.length > half)
}

async function older(db: Db, chatId: number, before: number | null, limit: number): Promise<Row[]> {
  const sql = sqlOf(db)
  return sql<Row[]>`
    select id, seq from chat_message where chat_id = ${chatId} ${before === null ? sql`` : sql`and seq < ${before}`}
    order by seq desc limit ${limit}`
}

async function present(db: Db, newestFirst: readonly Row[], hasMore: boolean) {
  const oldest = newestFirst.at(-1)
  const messages = await loadChatMessages(db, newestFirst.map(row => Number(row.id)).reverse())
  return { messages, hasMore, count: messages.length, nextCursor: hasMore && oldest ? `s${oldest.seq}` : null }
}

function seqOf(cursor: string): number {
  const match = /^s(\d{1,9})$/.exec(cursor)
  if (!match?.[1]) throw new AppError('ERR_VALIDATION', [{ path: 'cursor', message: 'invalid' }])
  return Number(match[1])
}
