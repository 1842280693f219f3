import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, instant } from '../database/columns.ts'

/** The activity log, written with the change it describes. `reported`: told by a client, not seen by the server. */
export const logEntries = pgTable(
  'log_entry',
  {
    id: bigId(),
    descricao: text().notNull(),
    origem: text().notNull(),
    userId: integer(),
    ticketId: integer(),
    contactId: integer(),
    queueId: integer(),
    whatsappId: integer(),
    messageId: integer(),
    details: jsonb().$type<unknown>(),
    reported: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('log_ticket').on(table.ticketId), index('log_created').on(table.createdAt)],
)
