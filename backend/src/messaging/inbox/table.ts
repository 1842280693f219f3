import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { belongsTo, instant } from '../../platform/database/columns.ts'

/**
 * Every provider event as it came, kept 7 days; the key makes a repeat end here. `error` marks an event our own code could not
 * digest: it waits here and can be replayed, nothing is dropped.
 */
export const rawEvents = pgTable(
  'raw_event',
  {
    whatsappId: belongsTo(() => connections.id),
    key: text().notNull(),
    payload: text().notNull(),
    error: text(),
    /** Provider id of a message this change names and that has not come yet. */
    waitsFor: text(),
    receivedAt: instant().notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.whatsappId, table.key] }),
    index('raw_event_age').on(table.receivedAt),
    // What could not be digested: nothing, on a desk that is well.
    index('raw_event_error').on(table.receivedAt).where(sql`error is not null`),
    index('raw_event_waiting').on(table.whatsappId, table.waitsFor).where(sql`waits_for is not null`),
  ],
)

/** Versions of the product that have gone through what older ones did not understand. */
export const digested = pgTable('digested', { version: text().primaryKey(), at: instant().notNull().defaultNow() })
