import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, instant } from '../../platform/database/columns.ts'
import { users } from '../users/table.ts'

/**
 * Refresh tokens, stored hashed; one family per device. A used token that comes back revokes its family, but for a terminal's (`terminal`
 * is its name): that one stays as it is, for a program is given it once, and `used_at` says when it was used last. `attempt` is the name of
 * the renewal that used a token: who got no answer to it may make it again.
 */
export const refreshTokens = pgTable(
  'refresh_token',
  {
    id: bigId(),
    userId: belongsTo(() => users.id),
    family: text().notNull(),
    hash: text().notNull().unique(),
    terminal: text(),
    usedAt: instant(),
    attempt: text(),
    revokedAt: instant(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index().on(table.family), index().on(table.userId)],
)

/** Failed sign-ins per account and per address, so that every process knows them. */
export const signInFailures = pgTable('sign_in_failure', {
  key: text().primaryKey(),
  count: integer().notNull(),
  until: instant().notNull(),
})

/** Socket tokens: good once, within 60 s. */
export const socketTokens = pgTable('socket_token', {
  hash: text().primaryKey(),
  userId: belongsTo(() => users.id),
  family: text().notNull(),
  expiresAt: instant().notNull(),
})
