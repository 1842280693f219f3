// Chats in the form of the contract, many at once, and the live events that carry them.
import type { Chat, SharedChat } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds, toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { chats } from './table.ts'

/** Chats by id, in the order of the ids given, as everybody in them sees them; unknown ids are left out. */
export async function loadChats(db: Db | Tx, ids: readonly number[]): Promise<SharedChat[]> {
  if (ids.length === 0) return []
  // A document without a caption is called by its name.
  const rows = await getSql(db)<ChatRow[]>`
    select c.id, c.is_group as "isGroup", c.group_name as "groupName", c.user_id as "userId", c.calling_user_id as "callingUserId",
      c.last_message_type as "lastMessageType", c.last_message_user_id as "lastMessageUserId",
      c.last_message_at as "lastMessageAt", c.created_at as "createdAt", c.version::int as version, m.users,
      case when c.last_message = '' and c.last_message_type = 'application'
        then coalesce((select l.media->>'name' from chat_message l where l.id = c.last_message_id), '') else c.last_message end as "lastMessage",
      json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) as user,
      case when o.id is null then null
        else json_build_object('id', o.id, 'name', o.name, 'profilePicUrl', o.profile_pic_url) end as "callingUser"
    from chat c
      join "user" u on u.id = c.user_id
      left join "user" o on o.id = c.calling_user_id
      cross join lateral (
        select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'profilePicUrl', p.profile_pic_url,
          'profile', p.profile, 'unreadMessages', m.unread, 'readSeq', m.read_seq) order by p.name, p.id), '[]') as users
        from chat_member m join "user" p on p.id = m.user_id where m.chat_id = c.id
      ) m
    where c.id = any(${[...ids]}::int[])`
  return sortByIds(ids, rows).map(toSharedChat)
}

/** A chat with what one person has not read in it; nothing for somebody who only looks on. */
export function toViewerChat(chat: SharedChat, viewerId: number): Chat {
  const unread = chat.users.find(user => user.id === viewerId)?.unreadMessages ?? 0
  return { ...chat, unreadMessages: unread, messagesUnread: unread }
}

/** Tells whoever may see the chat how it stands in this transaction; gives it. */
export async function publishChatEvents(tx: Tx, id: number, action: 'create' | 'update'): Promise<SharedChat> {
  const [chat] = await loadChats(tx, [id])
  if (!chat) throw new Error('The chat is gone')
  const audience = {
    to: 'users',
    userIds: toIds(chat.users),
    admins: true,
    says: await findLastMessageIds(tx, id),
  } as const
  await appendEvent(tx, audience, { event: 'chat', action, version: chat.version, chat })
  return chat
}

/** The message that the last words of a chat are of. */
export async function findLastMessageIds(tx: Tx, id: number): Promise<number[]> {
  const rows = await tx.select({ id: chats.lastMessageId }).from(chats).where(eq(chats.id, id))
  return rows.flatMap(row => row.id ?? [])
}

/** A chat as a fresh fetch shows it once its last words were deleted. */
export function clearLastChatMessage<C extends SharedChat>(chat: C): C {
  return { ...chat, lastMessage: '', lastMessageType: 'chat' }
}

/** Changes a chat and tells so; gives it. */
export async function updateChat(tx: Tx, id: number, set: PgUpdateSetSource<typeof chats> = {}): Promise<SharedChat> {
  await tx
    .update(chats)
    .set({ ...set, version: sql`${chats.version} + 1` })
    .where(eq(chats.id, id))
  return publishChatEvents(tx, id, 'update')
}

type ChatRow = Omit<SharedChat, 'userName' | 'callingName'>

function toSharedChat(row: ChatRow): SharedChat {
  const chat: SharedChat = {
    ...row,
    userName: row.user.name,
    callingName: row.callingUser?.name ?? null,
  }
  return Object.assign(
    chat,
    Object.fromEntries(row.users.map(user => [`messagesUnreadBy${user.id}`, user.unreadMessages])),
  )
}
