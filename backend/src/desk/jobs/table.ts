import type { Job, LogSource } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { apiTokens } from '../../messaging/api/table.ts'
import { belongsTo, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/**
 * Long work that somebody started (decisions §13). `mark` is how far it came, committed with each batch: from there it goes on.
 * While it runs it belongs to whoever wrote the present `version`.
 */
export const jobs = pgTable(
  'job',
  {
    id: id(),
    kind: text().notNull(),
    /** Who started it: a person, or a program of the company. */
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    tokenId: integer().references(() => apiTokens.id, { onDelete: 'cascade' }),
    state: text().$type<Job['state']>().notNull().default('waiting'),
    /** Where it was asked for; what is logged by it comes from there. */
    source: text().$type<LogSource>(),
    params: jsonb().$type<unknown>().notNull(),
    mark: jsonb().$type<unknown>(),
    done: integer().notNull().default(0),
    total: integer(),
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** The file it left. */
    mediaId: text(),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    version: version(),
  },
  table => [
    index('job_user').on(table.userId, table.id),
    index('job_token').on(table.tokenId, table.id).where(sql`token_id is not null`),
    index('job_ended').on(table.endedAt).where(sql`ended_at is not null`),
  ],
)

/** Rows of a sheet that a job left out, as they were, with what is wrong; the heading is row 1 and has nothing wrong. */
export const jobErrors = pgTable(
  'job_error',
  {
    jobId: belongsTo(() => jobs.id),
    row: integer().notNull(),
    cells: jsonb().$type<string[]>().notNull(),
    faults: text().notNull().default(''),
  },
  table => [primaryKey({ columns: [table.jobId, table.row] })],
)
