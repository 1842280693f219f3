import { pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, version } from '../../platform/database/columns.ts'

export const quickAnswers = pgTable('quick_answer', {
  id: id(),
  shortcut: text().notNull().unique(),
  message: text().notNull(),
  mediaId: text(),
  mediaType: text(),
  mediaName: text(),
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant().notNull().defaultNow(),
  version: version(),
})
