import type { LinkPreview } from '@balcao/contract'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

/** What a page said of itself, so that it is asked once a day. By the digest of its address: addresses of customers are not kept here. */
export const linkPreviews = pgTable(
  'link_preview',
  {
    digest: text().primaryKey(),
    host: text().notNull(),
    fetchedAt: instant().notNull().defaultNow(),
    /** Null: it said nothing, or could not be asked. */
    preview: jsonb().$type<Omit<LinkPreview, 'address'>>(),
  },
  table => [index('link_preview_fetched').on(table.fetchedAt)],
)
