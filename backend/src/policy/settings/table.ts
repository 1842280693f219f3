import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, version } from '../../platform/database/columns.ts'
import { users } from '../users/table.ts'

/** Only what was changed once; the rest has the default of the contract's table. `userId`: who changed it last, null the system. */
export const settings = pgTable('setting', {
  key: text().primaryKey(),
  value: text().notNull(),
  userId: integer().references(() => users.id, { onDelete: 'set null' }),
  updatedAt: instant().notNull().defaultNow(),
  version: version(),
})
