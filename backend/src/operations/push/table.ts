import type { Language } from '@balcao/contract'
import { bigint, customType, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, instant } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * Devices that want to be told with the tab closed. A device is a browser: its endpoint belongs to whoever registered it last, and
 * counts while the session (`family`) lasts that registered it.
 */
export const pushSubscriptions = pgTable(
  'push_subscription',
  {
    id: bigId(),
    userId: belongsTo(() => users.id),
    family: text().notNull(),
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    language: text().$type<Language>().notNull().default('pt'),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('push_subscription_user').on(table.userId)],
)

/** Tabs that somebody sees now, in any process; one that was not heard of for a while does not count. */
export const openPages = pgTable(
  'open_page',
  {
    id: uuid().primaryKey(),
    userId: belongsTo(() => users.id),
    seenAt: instant().notNull().defaultNow(),
  },
  table => [index('open_page_user').on(table.userId)],
)

/** How far live events were looked through for web push; one row. */
export const pushCursor = pgTable('push_cursor', {
  id: integer().primaryKey().default(1),
  xid: xid8().notNull(),
  eventId: bigint({ mode: 'number' }).notNull(),
})
