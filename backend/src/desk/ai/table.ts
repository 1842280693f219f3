import { bigint, date, integer, pgTable } from 'drizzle-orm/pg-core'

/** What the AI has read and written, by day (UTC): what it costs is told from this. No text, no person. */
export const aiUsage = pgTable('ai_usage', {
  day: date({ mode: 'string' }).primaryKey(),
  requests: integer().notNull().default(0),
  tokensIn: bigint({ mode: 'number' }).notNull().default(0),
  tokensOut: bigint({ mode: 'number' }).notNull().default(0),
})
