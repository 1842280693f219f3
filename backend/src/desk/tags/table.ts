import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { belongsTo, id, version } from '../../platform/database/columns.ts'
import { contacts } from '../contacts/table.ts'

export const tags = pgTable('tag', {
  id: id(),
  name: text().notNull(),
  color: text().notNull().default('#7a7a7a'),
  /** Some of its contacts have lost it already. */
  isBeingDeleted: boolean().notNull().default(false),
  version: version(),
})

export const contactTags = pgTable(
  'contact_tag',
  {
    contactId: belongsTo(() => contacts.id),
    tagId: belongsTo(() => tags.id),
  },
  table => [primaryKey({ columns: [table.contactId, table.tagId] }), index('contact_tag_tag').on(table.tagId)],
)
