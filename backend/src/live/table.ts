import { sql } from 'drizzle-orm'
import { customType, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, instant } from '../database/columns.ts'
import type { Audience } from './append.ts'

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * Live events, appended in the transaction of the change. `id` is given before commit, so a reader by id alone would skip a row
 * that commits late: readers go by (`xid`, `id`) and only below `pg_snapshot_xmin(pg_current_snapshot())`.
 * `payload` is the event's JSON as text: it goes out as it lies here.
 */
export const liveEvents = pgTable(
  'live_event',
  {
    id: bigId(),
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
    audience: jsonb().$type<Audience>().notNull(),
    payload: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('live_event_cursor').on(table.xid, table.id), index('live_event_age').on(table.createdAt)],
)
