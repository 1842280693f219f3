import { index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

/** What was answered under an `Idempotency-Key`: the same request again gets the same answer and sends nothing. Kept for 24 hours. */
export const apiRequests = pgTable(
  'api_request',
  {
    key: text().primaryKey(),
    /** Hash of what was asked: a key is good for one request only. */
    fingerprint: text().notNull(),
    answer: jsonb().$type<unknown>(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('api_request_created').on(table.createdAt)],
)

/** How many requests came in a minute, for all processes together. */
export const apiUses = pgTable('api_use', {
  minute: timestamp({ withTimezone: true, mode: 'string' }).primaryKey(),
  n: integer().notNull(),
})
