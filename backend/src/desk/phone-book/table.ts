import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { belongsTo, instant } from '../../platform/database/columns.ts'
import { connections } from '../connections/table.ts'

/** What phones told of their address books (docs/decisions/0219): nobody is made a contact by it until somebody imports it. */
export const phoneBook = pgTable(
  'phone_book',
  {
    whatsappId: belongsTo(() => connections.id),
    number: text().notNull(),
    name: text().notNull(),
    toldAt: instant().notNull().defaultNow(),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.number] })],
)
