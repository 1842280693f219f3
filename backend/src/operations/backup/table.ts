import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../../platform/database/columns.ts'

/**
 * Backups of this installation, as they were written: what an alarm looks at, and by which somebody knows where a person's data still
 * are. `at`: the instant of what it holds; `goneAt`: when it was removed after its time.
 */
export const backups = pgTable(
  'backup',
  {
    id: id(),
    /** A path, or an address `s3://…`. */
    place: text().notNull(),
    daily: boolean().notNull(),
    encrypted: boolean().notNull(),
    state: text().$type<'running' | 'done' | 'failed'>().notNull().default('running'),
    at: instant().notNull().defaultNow(),
    endedAt: instant(),
    bytes: bigint({ mode: 'number' }),
    rows: bigint({ mode: 'number' }),
    files: integer(),
    error: text(),
    goneAt: instant(),
  },
  table => [index('backup_good').on(table.at.desc()).where(sql`state = 'done'`)],
)
