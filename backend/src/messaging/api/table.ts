import type { ApiScope } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/**
 * Tokens of other programs (docs/decisions/0302). `userId`: as whom it acts; null: as the company, with these queues, which name by id what
 * may be gone. `uses`: the calls of that minute; `spentMinutes`: the last ten minutes in which all its calls were used.
 */
export const apiTokens = pgTable(
  'api_token',
  {
    id: id(),
    name: text().notNull(),
    /** The last characters, by which people tell it from another, and the hash of it. */
    hint: text().notNull(),
    hash: text().notNull().unique(),
    scopes: text().array().$type<ApiScope[]>().notNull(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    queueIds: integer().array(),
    perMinute: integer().notNull(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    minute: instant(),
    uses: integer().notNull().default(0),
    spentMinutes: instant().array().notNull().default(sql`'{}'`),
    createdAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [index('api_token_user').on(table.userId)],
)

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
