import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { connections } from '../connections/table.ts'
import { id, instant, version } from '../database/columns.ts'
import { users } from '../users/table.ts'

export const queues = pgTable('queue', {
  id: id(),
  name: text().notNull(),
  color: text().notNull().unique(),
  customOrder: integer().notNull().default(999),
  greetingMessage: text().notNull().default(''),
  createdAt: instant().notNull().defaultNow(),
  version: version(),
})

export const userQueues = pgTable(
  'user_queue',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    queueId: integer()
      .notNull()
      .references(() => queues.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.userId, table.queueId] }), index().on(table.queueId)],
)

export const connectionQueues = pgTable(
  'whatsapp_queue',
  {
    whatsappId: integer()
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    queueId: integer()
      .notNull()
      .references(() => queues.id, { onDelete: 'cascade' }),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.queueId] }), index().on(table.queueId)],
)
