import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { connections } from '../connections/table.ts'
import { belongsTo, id, instant, version } from '../database/columns.ts'
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

/** Queues that went away, written by a trigger: their closed tickets keep the name and colour. */
export const pastQueues = pgTable('past_queue', {
  id: integer().primaryKey(),
  name: text().notNull(),
  color: text().notNull(),
  deletedAt: instant().notNull().defaultNow(),
})

export const userQueues = pgTable(
  'user_queue',
  {
    userId: belongsTo(() => users.id),
    queueId: belongsTo(() => queues.id),
  },
  table => [primaryKey({ columns: [table.userId, table.queueId] }), index().on(table.queueId)],
)

export const connectionQueues = pgTable(
  'whatsapp_queue',
  {
    whatsappId: belongsTo(() => connections.id),
    queueId: belongsTo(() => queues.id),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.queueId] }), index().on(table.queueId)],
)
