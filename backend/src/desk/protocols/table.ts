import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, refersTo, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { contacts } from '../contacts/table.ts'
import { tickets } from '../tickets/table.ts'

/** Numbers given to customers for what was settled. A ticket or a contact with one cannot be deleted: the keys say so. */
export const protocols = pgTable(
  'protocol',
  {
    id: id(),
    /** The day and a running number, as the customer quotes it. */
    protocolo: text().notNull(),
    /** What it was about, in the team's words. */
    mensagem: text().notNull().default(''),
    ticketId: refersTo(() => tickets.id),
    contactId: refersTo(() => contacts.id),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [
    uniqueIndex('protocol_number').on(table.protocolo),
    // By its first digits, whatever the database sorts by.
    index('protocol_begins').on(sql`${table.protocolo} text_pattern_ops`),
    index('protocol_words').using('gin', sql`f_norm(${table.mensagem}) public.gin_trgm_ops`),
    index('protocol_ticket').on(table.ticketId, table.id.desc()),
    index('protocol_contact').on(table.contactId, table.id.desc()),
  ],
)
