import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, version } from '../../platform/database/columns.ts'
import { queues } from '../queues/table.ts'

/** What the bot answers (decisions-2 §9), in the order of its menu: by `position`, then by id. */
export const questions = pgTable(
  'question',
  {
    id: id(),
    pergunta: text().notNull(),
    resposta: text().notNull(),
    queueId: integer().references(() => queues.id, { onDelete: 'set null' }),
    openTicket: boolean().notNull().default(false),
    position: integer().notNull(),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [index('question_queue').on(table.queueId)],
)
