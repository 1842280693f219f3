import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { messages } from '../../desk/messages/table.ts'
import type { Outgoing } from '../../platform/channel/driver.ts'
import { belongsTo, bigId, instant } from '../../platform/database/columns.ts'

/** What is to be done at the provider, in order within a contact. `message` rows also move their message's state. */
export const outbox = pgTable(
  'outbox',
  {
    id: bigId(),
    whatsappId: belongsTo(() => connections.id),
    contactId: integer().notNull(),
    messageId: bigint({ mode: 'number' }).references(() => messages.id, { onDelete: 'cascade' }),
    operation: text().$type<'message' | 'edit' | 'revoke' | 'reaction' | 'read'>().notNull(),
    payload: jsonb().$type<Outgoing>().notNull(),
    state: text().$type<'queued' | 'sending' | 'done' | 'failed' | 'unknown'>().notNull().default('queued'),
    /** Of a send to many: while it waits, what else this contact is told goes before it. */
    paced: boolean().notNull().default(false),
    /** Nobody waits for it: on kinds that are no official API such messages keep a distance from each other. */
    unhurried: boolean().notNull().default(false),
    attempts: integer().notNull().default(0),
    /** How an earlier try ended nobody knows: the customer may have it. */
    mayBeOut: boolean().notNull().default(false),
    nextAt: instant().notNull().defaultNow(),
    /** The owner's epoch at the claim: an older owner's answer changes nothing. */
    epoch: bigint({ mode: 'number' }),
    /** Goes out with the send where the provider tells it back with every receipt: so a receipt proves a send whose answer was lost. */
    trace: uuid(),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
    doneAt: instant(),
  },
  table => [
    index('outbox_lane').on(table.whatsappId, table.contactId, table.id).where(sql`state in ('queued', 'sending')`),
    index('outbox_due').on(table.whatsappId, table.nextAt, table.id).where(sql`state = 'queued'`),
    index('outbox_message').on(table.messageId),
    index('outbox_doubt').on(table.whatsappId, table.nextAt).where(sql`state = 'unknown'`),
    // When something last went out.
    index('outbox_sent').on(table.whatsappId, table.doneAt).where(sql`state = 'done' and operation = 'message'`),
    uniqueIndex('outbox_trace').on(table.trace).where(sql`trace is not null`),
  ],
)
