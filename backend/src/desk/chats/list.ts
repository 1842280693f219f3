// A person's internal chats, the one with the newest message first.
import { type Chat, LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadReadableChat } from './access.ts'
import { loadChats, toViewerChat } from './present.ts'

interface Row {
  id: number
  at: string
}

/** A page of chats (spec 1 §7). `showAll` counts for administrators while `adminChatInterno` is enabled, else it is as if not asked. */
export async function listChats(
  db: Db,
  session: Session,
  query: QueryParams<'GET /chats'>,
): Promise<ResponseBody<'GET /chats'>> {
  const { viewer, settings } = session
  const { after, skip, limit } = parsePageBounds(query, query.limit ?? LIMITS.ticketsPage, 100)
  const sql = getSql(db)
  const all = query.showAll === 'true' && viewer.profile === 'admin' && settings.adminChatInterno
  const unread = query.withUnreadMessages === 'true'
  const search = searchSql(sql, viewer.id, query.searchParam?.trim() ?? '')
  const before = (at: postgres.PendingQuery<postgres.Row[]>, id: postgres.PendingQuery<postgres.Row[]>) =>
    after ? sql`and (${at}, ${id}) < (${after.text}::timestamptz, ${after.id}::int)` : sql``
  const rows =
    all && !unread
      ? await sql<Row[]>`
          select c.id, c.last_message_at as at from chat c
          where true ${search} ${before(sql`c.last_message_at`, sql`c.id`)}
          order by c.last_message_at desc nulls last, c.id desc nulls last offset ${skip} limit ${limit + 1}`
      : await sql<Row[]>`
          select m.chat_id as id, m.last_message_at as at from chat_member m join chat c on c.id = m.chat_id
          where m.user_id = ${viewer.id} ${unread ? sql`and m.unread > 0` : sql``} ${search}
            ${before(sql`m.last_message_at`, sql`m.chat_id`)}
          order by m.last_message_at desc nulls last, m.chat_id desc nulls last offset ${skip} limit ${limit + 1}`
  const { ids, ...page } = toPage(rows, limit, row => row.at)
  const chats = await loadChats(db, ids)
  return { chats: chats.map(chat => toViewerChat(chat, viewer.id)), count: skip + ids.length, ...page }
}

/** One chat. Throws `ERR_NO_CHAT_FOUND`, `ERR_NO_PERMISSION`. */
export async function getChat(db: Db, session: Session, id: number): Promise<Chat> {
  await loadReadableChat(db, session, id)
  const [chat] = await loadChats(db, [id])
  if (!chat) throw new Error('The chat is gone')
  return toViewerChat(chat, session.viewer.id)
}

/** The own chats with something unread. */
export async function listUnreadChats(db: Db, { viewer }: Session): Promise<ResponseBody<'GET /chats/unread'>> {
  const chats = await getSql(db)<{ chatId: number; unreadMessages: number }[]>`
    select chat_id as "chatId", unread as "unreadMessages" from chat_member
    where user_id = ${viewer.id} and unread > 0 order by chat_id`
  return { chats: chats.map(chat => ({ ...chat })) }
}

/** By the name of the group or of anybody else in the chat. */
function searchSql(sql: postgres.Sql, viewerId: number, text: string) {
  if (text === '') return sql``
  return sql`and (f_norm(c.group_name) like f_like(${text}) or exists (
    select 1 from chat_member other join "user" p on p.id = other.user_id
    where other.chat_id = c.id and other.user_id <> ${viewerId} and f_norm(p.name) like f_like(${text})))`
}
