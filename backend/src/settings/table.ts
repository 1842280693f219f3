import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Only values that differ from the default of the contract's table. */
export const settings = pgTable('setting', {
  key: text().primaryKey(),
  value: text().notNull(),
  updatedAt: instant().notNull().defaultNow(),
})
