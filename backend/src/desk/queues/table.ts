import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { connections } from '../connections/table.ts'

export const queues = pgTable(
  'queue',
  {
    id: id(),
    name: text().notNull(),
    color: text().notNull(),
    customOrder: integer().notNull().default(999),
    greetingMessage: text().notNull().default(''),
    /** Working minutes until a person's first answer is due, and each later one; null: no target (docs/decisions/0317). */
    firstAnswerMinutes: integer(),
    answerMinutes: integer(),
    /** Who had the last turn when idle tickets were given out; the next is who comes after by id. Kept here, so it outlives every process. */
    lastTurn: integer(),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
  },
  // One queue a colour, however it is spelled.
  table => [uniqueIndex('queue_color').on(sql`lower(${table.color})`)],
)

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

/**
 * Who takes turns in a queue when idle tickets are given out, where not everybody of it does. Only with a row in `user_queue` it counts:
 * who loses the queue and gets it back takes turns again.
 */
export const queueTurns = pgTable(
  'queue_turn',
  {
    queueId: belongsTo(() => queues.id),
    userId: belongsTo(() => users.id),
  },
  table => [primaryKey({ columns: [table.queueId, table.userId] }), index().on(table.userId)],
)

/** Who takes somebody's tickets of a queue while that person is inactive (decisions-2 §8); `transfer`: also those there already. */
export const userSubstitutes = pgTable(
  'user_substitute',
  {
    userId: belongsTo(() => users.id),
    queueId: belongsTo(() => queues.id),
    substituteId: belongsTo(() => users.id),
    transfer: boolean().notNull().default(false),
  },
  table => [
    primaryKey({ columns: [table.userId, table.queueId] }),
    index().on(table.queueId),
    index().on(table.substituteId),
  ],
)

export const connectionQueues = pgTable(
  'whatsapp_queue',
  {
    whatsappId: belongsTo(() => connections.id),
    queueId: belongsTo(() => queues.id),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.queueId] }), index().on(table.queueId)],
)
