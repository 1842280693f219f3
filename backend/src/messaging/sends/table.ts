import type { ChosenTemplate, SendReason, SendState } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { contacts } from '../../desk/contacts/table.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { tickets } from '../../desk/tickets/table.ts'
import { belongsTo, bigId, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { schedules } from '../schedules/table.ts'

/** Whom a send goes to: everybody but groups, or these contacts and whoever has one of these tags. */
export interface Recipients {
  readonly allContacts: boolean
  readonly contactsIds: readonly number[]
  readonly tagsIds: readonly number[]
}

/**
 * One text to many, at a pace (docs/decisions/0172): what was to be said, and to whom, when it began. `calculating` while its
 * recipients are frozen, in batches: `frozenTo` is the last contact looked at. Only what is `running` hands anything over.
 */
export const sends = pgTable(
  'send',
  {
    id: id(),
    /** The schedule it is a run of, and the instant that was due: a run begins once. */
    scheduleId: integer().references(() => schedules.id, { onDelete: 'cascade' }),
    dueAt: instant().notNull(),
    whatsappId: integer().references(() => connections.id, { onDelete: 'cascade' }),
    state: text().$type<SendState>().notNull().default('calculating'),
    /** Why it waits or was stopped. */
    stateReason: text().$type<SendReason>(),
    stateAt: instant().notNull().defaultNow(),
    /** Who paused, resumed or cancelled it; null where it came there by itself. */
    stateUserId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** It hands nothing over before; null: it may be looked at now. */
    notBefore: instant(),
    /** Failures of before do not stop it again. */
    resumedAt: instant(),
    body: text().notNull(),
    file: jsonb().$type<FileToSend>(),
    /** For those outside the official API's window. */
    template: jsonb().$type<ChosenTemplate>(),
    recipients: jsonb().$type<Recipients>().notNull(),
    onlyWorkingHours: boolean().notNull().default(false),
    onlyWhoWrote: boolean().notNull().default(false),
    frozenTo: integer().notNull().default(0),
    /** When everybody was frozen; null: it goes on behind `frozenTo`. */
    frozenAt: instant(),
    total: integer().notNull().default(0),
    sent: integer().notNull().default(0),
    /** As its form named it: sent again it is the same send. */
    clientId: text(),
    /** When it handed somebody over last: the sends of a connection take turns. */
    turnAt: instant(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
    version: version(),
  },
  table => [
    uniqueIndex('send_client').on(table.userId, table.clientId),
    uniqueIndex('send_run').on(table.scheduleId, table.dueAt),
    index('send_going').on(table.whatsappId, table.turnAt).where(sql`state in ('running', 'waiting')`),
    index('send_mass').on(table.id.desc()).where(sql`schedule_id is null`),
    index('send_calculating').on(table.id).where(sql`state = 'calculating'`),
  ],
)

/** Everybody a send was for. `reason`: why somebody is left out, a word of `snapshot-recipients.ts` or the code that refused the message. */
export const sendRecipients = pgTable(
  'send_recipient',
  {
    id: bigId(),
    sendId: belongsTo(() => sends.id),
    contactId: belongsTo(() => contacts.id),
    state: text().$type<'waiting' | 'handed' | 'excluded'>().notNull(),
    reason: text(),
    ticketId: integer().references(() => tickets.id, { onDelete: 'set null' }),
    messageId: bigint({ mode: 'number' }),
    at: instant().notNull().defaultNow(),
  },
  table => [
    uniqueIndex('send_recipient_once').on(table.sendId, table.contactId),
    index('send_recipient_next').on(table.sendId, table.contactId).where(sql`state = 'waiting'`),
    index('send_recipient_latest').on(table.sendId, table.at.desc(), table.id.desc()).where(sql`state <> 'waiting'`),
    index('send_recipient_handed').on(table.at).where(sql`state = 'handed'`),
    index('send_recipient_message').on(table.messageId).where(sql`message_id is not null`),
    index('send_recipient_contact').on(table.contactId, table.id.desc()),
    index('send_recipient_ticket').on(table.ticketId),
  ],
)

/** When a connection may hand over the next message of its sends, all of them together, and the one it handed over last. */
export const sendClocks = pgTable('send_clock', {
  whatsappId: integer()
    .primaryKey()
    .references(() => connections.id, { onDelete: 'cascade' }),
  nextAt: instant().notNull().defaultNow(),
  messageId: bigint({ mode: 'number' }),
  /** The company's day it counts, and the messages of that day: no schedule or contact that is deleted takes any of them away. */
  dayFrom: instant(),
  daySent: integer().notNull().default(0),
})
