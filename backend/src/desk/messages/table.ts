import type { ErrorLog, MediaType, MessageDetails, MessageState, Reaction } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { QuotedContent } from '../../platform/channel/driver.ts'
import { belongsTo, bigId, instant, refersTo, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { connections } from '../connections/table.ts'
import { contacts, type IdentityKind } from '../contacts/table.ts'
import type { MessageMedia } from '../media/table.ts'
import { tickets } from '../tickets/table.ts'

/** With the time it was given, so that one of before changes nothing. An empty one was taken back then: it is kept for that, and shown to nobody. */
export type StoredReaction = Reaction & { readonly at?: number }

/**
 * A message that is answered and that the desk does not have (yet): its provider id finds it should it come. `content` came along
 * with the answer; `author` is who wrote it in a group, `name` how the desk called that person then.
 */
export interface StoredQuote {
  readonly id: string
  readonly fromMe: boolean
  readonly author?: { readonly kind: IdentityKind; readonly value: string }
  readonly name?: string
  readonly content?: QuotedContent
}

/** Somebody whom the digits behind an `@` of a text may stand for. */
export interface NamedMember {
  readonly digits: string
  /** All that the networks call them, as `lid:159392934358280`. */
  readonly addresses: readonly string[]
  /** What their group calls them, and their phone, where the provider tells. */
  readonly name?: string
  readonly pn?: string
  /** The provider says that this is somebody, so no such digits are shown. */
  readonly isCertain: boolean
  /** As they are called in the text now. */
  readonly shown?: string
}

/** A text of a group as it was written, with digits behind the `@`, and whom it names. */
export interface MemberMentions {
  readonly text: string
  readonly members: readonly NamedMember[]
}

/**
 * Messages. Order: `at` (the provider's time, whole seconds), then `ticketId`, `seq`. `chat` is the provider's address verbatim, needed to react,
 * edit, quote or mark as read later; `raw` is the provider's own form of what we sent or got, for retries, kept at least 7 days.
 */
export const messages = pgTable(
  'message',
  {
    id: bigId(),
    ticketId: belongsTo(() => tickets.id),
    contactId: refersTo(() => contacts.id),
    whatsappId: refersTo(() => connections.id),
    seq: integer().notNull(),
    at: instant().notNull(),
    providerId: text(),
    chat: text(),
    fromMe: boolean().notNull(),
    /** Author inside a group, or the contact itself. */
    authorId: integer(),
    authorJid: text(),
    authorName: text().notNull().default(''),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    body: text().notNull().default(''),
    /** Of a text that names members of a group: `body` is made of it anew whenever one of them is called otherwise. */
    memberMentions: jsonb().$type<MemberMentions>(),
    mediaType: text().$type<MediaType>().notNull().default('chat'),
    mediaId: text(),
    media: jsonb().$type<MessageMedia>(),
    state: text().$type<MessageState>().notNull(),
    read: boolean().notNull().default(false),
    isDeleted: boolean().notNull().default(false),
    isEdited: boolean().notNull().default(false),
    editedMsg: text(),
    /** When the text it shows now was written, by the provider's clock: an edit of before comes too late. */
    editedAt: instant(),
    quotedId: bigint({ mode: 'number' }),
    /** Of an answer whose `quotedId` is not known. */
    quote: jsonb().$type<StoredQuote>(),
    forward: text().$type<'true' | 'frequently'>(),
    /** The desk wrote it by itself: a greeting, a farewell, words at a transfer. */
    automatic: boolean().notNull().default(false),
    reactions: jsonb().$type<StoredReaction[]>().notNull().default([]),
    errorLog: jsonb().$type<ErrorLog>(),
    templateData: jsonb().$type<unknown>(),
    details: jsonb().$type<MessageDetails>(),
    /** What opens a change of it that the provider sends sealed, in base64; of linked devices alone. */
    secret: text(),
    system: jsonb().$type<{ code: string; params: Record<string, string> }>(),
    transcription: text(),
    /** While a recording is being written out, or when that failed. */
    transcriptionState: text().$type<'pending' | 'failed'>(),
    /** How far it came and when, by the provider's clock where it tells. */
    sentAt: instant(),
    deliveredAt: instant(),
    readAt: instant(),
    clientId: text(),
    raw: jsonb().$type<unknown>(),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
    /**
     * What a search looks at, without accents and capitals: the text, the name of a document, a transcription. Kept, because
     * folding a text takes twenty times as long as looking through it. Indexed by trigrams in the migrations.
     */
    searchText: text()
      .notNull()
      .generatedAlwaysAs(
        sql`f_norm(case when is_deleted or media_type = 'system' then '' else
          (case media_type when 'location' then split_part(body, '|', 3) else body end)
          || case when media_type = 'application' then coalesce(E'\\n' || (media->>'name'), '') else '' end
          || coalesce(E'\\n' || transcription, '') end)`,
      ),
  },
  table => [
    // One for the message of a chat and for whatever has this id: most ids stand in one chat alone.
    uniqueIndex('message_provider_id')
      .on(table.whatsappId, table.providerId, table.contactId)
      .where(sql`provider_id is not null`),
    uniqueIndex('message_client').on(table.ticketId, table.clientId).where(sql`client_id is not null`),
    uniqueIndex('message_seq').on(table.ticketId, table.seq),
    index('message_page').on(table.contactId, table.at.desc(), table.ticketId.desc(), table.seq.desc()),
    index('message_ticket_page').on(table.ticketId, table.at.desc(), table.seq.desc()),
    // How many there were in a period, and which: the newest of all, of a kind, with an address in them, of a person of the team.
    index('message_newest').on(table.at, table.id),
    index('message_kind').on(table.mediaType, table.at, table.id).where(sql`media_type <> 'chat'`),
    index('message_with_link').on(table.at, table.id).where(sql`body ~ 'https?://'`),
    index('message_user').on(table.userId, table.at, table.id).where(sql`user_id is not null`),
    index('message_media_pending').on(table.whatsappId, table.id).where(sql`media->>'state' = 'pending'`),
    // The gallery of a contact: its files, and messages with an address in them, newest first.
    index('message_files')
      .on(table.contactId, table.at.desc(), table.ticketId.desc(), table.seq.desc())
      .where(sql`media_id is not null`),
    index('message_links')
      .on(table.contactId, table.at.desc(), table.ticketId.desc(), table.seq.desc())
      .where(sql`body ~ 'https?://'`),
    // What brought the customer, asked for with every conversation that is opened.
    index('message_origin').on(table.ticketId, table.seq.desc()).where(sql`details ? 'origin'`),
    // What was not understood, for a version that does.
    index('message_unknown').on(table.id).where(sql`media_type = 'unknown'`),
    // Answers that wait for what they quote.
    index('message_quoting').on(table.whatsappId, sql`(${table.quote}->>'id')`).where(sql`quote is not null`),
    index('message_media').on(table.mediaId).where(sql`media_id is not null`),
  ],
)

/**
 * Which messages name somebody by an address (`lid:159392934358280`), now or before they were changed. Kept by a trigger on `message`; others
 * on `contact` and `contact_identity` have `rename-members` done where a name or an address that stands here changes.
 */
export const messageMembers = pgTable(
  'message_member',
  {
    address: text().notNull(),
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
  },
  table => [
    primaryKey({ columns: [table.address, table.messageId] }),
    index('message_member_message').on(table.messageId),
  ],
)

/** Whom of the team a comment calls, as they were called when it was written; `seenAt`: they have seen it. */
export const messageMentions = pgTable(
  'message_mention',
  {
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    seenAt: instant(),
  },
  table => [
    primaryKey({ columns: [table.messageId, table.userId] }),
    index('message_mention_unseen').on(table.userId, table.messageId.desc()).where(sql`seen_at is null`),
  ],
)

/** What a message said before each change of its text. `userId` is who of us changed it. */
export const messageEdits = pgTable(
  'message_edit',
  {
    id: bigId(),
    messageId: bigint({ mode: 'number' })
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    body: text().notNull(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    at: instant().notNull().defaultNow(),
  },
  table => [index('message_edit_message').on(table.messageId, table.id)],
)
