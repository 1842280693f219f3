import { index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { belongsTo, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/** `userId`: whose alone it is; `queueId`: whose people have it. With neither the whole team has it, both it never names. */
export const quickAnswers = pgTable(
  'quick_answer',
  {
    id: id(),
    shortcut: text().notNull(),
    message: text().notNull(),
    mediaId: text(),
    mediaType: text(),
    mediaName: text(),
    /** Kept when its queue goes, like that of a ticket: then administrators alone see it, and may give it to others. */
    queueId: integer(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
  },
  // Nobody is refused a shortcut for an answer they may not see.
  table => [unique('quick_answer_shortcut').on(table.shortcut, table.queueId, table.userId).nullsNotDistinct()],
)

/** How often a person has taken an answer: as many rows as people and answers, however many messages are written. */
export const quickAnswerUses = pgTable(
  'quick_answer_use',
  {
    userId: belongsTo(() => users.id),
    quickAnswerId: belongsTo(() => quickAnswers.id),
    times: integer().notNull().default(1),
  },
  table => [
    primaryKey({ columns: [table.userId, table.quickAnswerId] }),
    index('quick_answer_use_answer').on(table.quickAnswerId),
  ],
)
