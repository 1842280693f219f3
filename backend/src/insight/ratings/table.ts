import { sql } from 'drizzle-orm'
import { index, integer, pgTable } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { contacts } from '../../desk/contacts/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { belongsTo, bigId, instant } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/** What a customer answered to the survey (decisions-2 §11): of this ticket as it was resolved, so queue and person are kept here. */
export const ratings = pgTable(
  'rating',
  {
    id: bigId(),
    ticketId: belongsTo(() => tickets.id),
    contactId: belongsTo(() => contacts.id),
    whatsappId: belongsTo(() => connections.id),
    /** As of a ticket: kept when the queue goes. */
    queueId: integer(),
    /** Who resolved it. */
    userId: integer().references(() => users.id),
    /** 1 to 5. */
    rate: integer().notNull(),
    at: instant().notNull().defaultNow(),
    /** When the survey was sent, written by a trigger; null: no survey is known. */
    askedAt: instant(),
  },
  table => [
    index().on(table.at, table.id),
    index().on(table.ticketId),
    index().on(table.contactId),
    // A page of the list is a range, whatever it is filtered by.
    index('rating_of_user').on(table.userId, table.at, table.id),
    index('rating_of_queue').on(table.queueId, table.at, table.id),
    index('rating_of_connection').on(table.whatsappId, table.at, table.id),
    index('rating_low').on(table.at, table.id).where(sql`rate <= 3`),
  ],
)
