import type { MediaInfo } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

export type MediaOwner =
  | 'upload'
  | 'message'
  | 'chat'
  | 'contact'
  | 'quickAnswer'
  | 'user'
  | 'schedule'
  | 'send'
  | 'job'
  /** Its bytes are being removed, then its row: nothing brings it back. */
  | 'gone'

/** Where the bytes are kept for good; `waiting`: in the folder until the bucket takes them. */
export type StorageLocation = 'folder' | 'waiting' | 's3'

/** What the row of a message keeps of its file. */
export type MessageMedia = Omit<MediaInfo, 'thumbUrl'> & { readonly thumb?: boolean }

/** A file of ours on its way into a message. */
export interface FileToSend extends Omit<MessageMedia, 'state' | 'error'> {
  readonly mediaId: string
  readonly mediaType: 'image' | 'audio' | 'video' | 'application' | 'sticker'
}

/** A stored file. `id` is random and appears in its address; who may read it follows from the message, contact or quick answer that names it. */
export const media = pgTable(
  'media',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    mime: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    /** What it is part of; an `upload` is part of nothing yet and goes after 24 h. */
    owner: text().$type<MediaOwner>().notNull(),
    userId: integer(),
    ticketId: integer(),
    chatId: integer(),
    jobId: integer(),
    keptIn: text().$type<StorageLocation>().notNull().default('folder'),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [
    index('media_owner').on(table.owner, table.createdAt),
    index('media_ticket').on(table.ticketId).where(sql`ticket_id is not null`),
    index('media_waiting').on(table.id).where(sql`kept_in = 'waiting'`),
  ],
)

export type MediaRow = typeof media.$inferSelect
