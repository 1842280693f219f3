import type { ChatMediaType } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, refersTo, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import type { MessageMedia } from '../media/table.ts'

/**
 * Internal chats. A direct one has two sides, of which there is one chat at most, whoever opened it; a group has a name. Both
 * sides of a direct chat are its members too, so everything else asks `chat_member` alone.
 */
export const chats = pgTable(
  'chat',
  {
    id: id(),
    isGroup: boolean().notNull().default(false),
    groupName: text().notNull().default(''),
    userId: refersTo(() => users.id),
    callingUserId: integer().references(() => users.id),
    /** The number of the last message; given under the lock of this row. */
    messageSeq: integer().notNull().default(0),
    lastMessage: text().notNull().default(''),
    lastMessageId: bigint({ mode: 'number' }),
    lastMessageType: text().$type<ChatMediaType>().notNull().default('chat'),
    lastMessageUserId: integer(),
    lastMessageAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [
    uniqueIndex('chat_pair')
      .on(least(table.userId, table.callingUserId), greatest(table.userId, table.callingUserId))
      .where(sql`not is_group`),
    index('chat_page').on(table.lastMessageAt.desc(), table.id.desc()),
  ],
)

/** Who is in a chat, and how far this person has read. `lastMessageAt` repeats the chat's: a person's list is a range of one index. */
export const chatMembers = pgTable(
  'chat_member',
  {
    chatId: belongsTo(() => chats.id),
    userId: refersTo(() => users.id),
    unread: integer().notNull().default(0),
    readSeq: integer().notNull().default(0),
    lastMessageAt: instant().notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.chatId, table.userId] }),
    index('chat_member_page').on(table.userId, table.lastMessageAt.desc(), table.chatId.desc()),
    index('chat_member_unread').on(table.userId).where(sql`unread > 0`),
  ],
)

/** Messages of internal chats, in order of `seq`. */
export const chatMessages = pgTable(
  'chat_message',
  {
    id: bigId(),
    chatId: belongsTo(() => chats.id),
    seq: integer().notNull(),
    senderId: refersTo(() => users.id),
    body: text().notNull().default(''),
    mediaType: text().$type<ChatMediaType>().notNull().default('chat'),
    mediaId: text(),
    media: jsonb().$type<MessageMedia>(),
    quotedId: bigint({ mode: 'number' }),
    isDeleted: boolean().notNull().default(false),
    isEdited: boolean().notNull().default(false),
    editedMsg: text(),
    clientId: text(),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [
    uniqueIndex('chat_message_seq').on(table.chatId, table.seq),
    uniqueIndex('chat_message_client')
      .on(table.chatId, table.senderId, table.clientId)
      .where(sql`client_id is not null`),
    index('chat_message_media').on(table.mediaId).where(sql`media_id is not null`),
  ],
)

function least(a: PgColumn, b: PgColumn) {
  return sql`least(${a}, ${b})`
}

function greatest(a: PgColumn, b: PgColumn) {
  return sql`greatest(${a}, ${b})`
}
