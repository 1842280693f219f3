import type { LogAction, LogSource } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, instant } from '../../platform/database/columns.ts'

/**
 * The activity log, written with the change it describes. Entries outlive what they name: nothing here refers to another table.
 * `reported`: told by a client, not seen by the server; those, and entries from before actions had codes, have words instead.
 */
export const logEntries = pgTable(
  'log_entry',
  {
    id: bigId(),
    action: text().$type<LogAction>(),
    params: jsonb().$type<Record<string, unknown>>(),
    descricao: text(),
    /** The kind of thing it was done to; of a reported entry where it says it came from. The column is older than its word. */
    entity: text('origem').notNull(),
    /** Where it came from; null: from before that was kept. */
    source: text().$type<LogSource>(),
    /** By whom; null: by the system or another program. */
    userId: integer(),
    ticketId: integer(),
    contactId: integer(),
    queueId: integer(),
    whatsappId: integer(),
    messageId: integer(),
    /** The thing of the kind `entity`, where it has no column of its own. */
    entityId: integer(),
    reported: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [
    index('log_created').on(table.createdAt, table.id),
    index('log_kind').on(table.entity, table.createdAt, table.id),
    index('log_source').on(table.source, table.createdAt, table.id).where(sql`source is not null`),
    index('log_action').on(table.action, table.createdAt, table.id),
    index('log_user_kind').on(table.userId, table.entity, table.createdAt, table.id),
    // With where it came from, which is asked for together with a person and may be rare.
    index('log_user').on(table.userId, table.createdAt, table.id, table.source),
    index('log_ticket').on(table.ticketId, table.createdAt, table.id),
    index('log_contact').on(table.contactId, table.createdAt, table.id),
    index('log_queue').on(table.queueId, table.createdAt, table.id),
    index('log_connection').on(table.whatsappId, table.createdAt, table.id),
    // What was passed on, by what it was made of: an erasure follows it.
    index('log_forward').on(sql`(params->>'from')`).where(sql`action = 'message.forward'`),
    // Words of what has no action: reported entries, and those from before actions had codes.
    index('log_words')
      .using('gin', sql`f_norm(${table.descricao}) public.gin_trgm_ops`)
      .where(sql`descricao is not null`),
    index('log_entity').on(table.entity, table.entityId, table.createdAt, table.id),
  ],
)
