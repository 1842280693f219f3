import type { ChosenTemplate, Recurrence, Schedule } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { connections } from '../../desk/connections/table.ts'
import { contacts } from '../../desk/contacts/table.ts'
import { tags } from '../../desk/tags/table.ts'
import { belongsTo, id, instant, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/**
 * Scheduled sends (spec 3 §3 "Schedule"). `rValue` is the recurrence value as on the wire, without the state the wire adds to it.
 * `sendTime` is the company's wall clock, `HH:mm`; `sendOn` is the instant of one that goes out once. `nextRunAt` null: none is due.
 */
export const schedules = pgTable(
  'schedule',
  {
    id: id(),
    title: text().notNull().default(''),
    message: text().notNull(),
    /** Where a search looks. */
    searchText: text().notNull().generatedAlwaysAs(sql`f_norm(title) || E'\\n' || f_norm(message)`),
    recurrence: text().$type<Recurrence>().notNull(),
    rValue: text().notNull().default(''),
    sendTime: text().notNull(),
    sendOn: instant(),
    allContacts: boolean().notNull().default(false),
    whatsappId: integer().references(() => connections.id, { onDelete: 'set null' }),
    mediaId: text(),
    mediaType: text(),
    mediaName: text(),
    firstSend: boolean().notNull().default(false),
    template: jsonb().$type<ChosenTemplate>(),
    onlyWorkingHours: boolean().notNull().default(false),
    /** What somebody did with it; null: it goes on. */
    state: text().$type<'paused' | 'cancelled'>(),
    stateUserId: integer().references(() => users.id, { onDelete: 'set null' }),
    nextRunAt: instant(),
    lastRunAt: instant(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The program that made it, as it was called. */
    program: jsonb().$type<Schedule['program']>(),
    /** How the form named it: the same form again makes no second one. */
    clientId: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [
    index('schedule_due').on(table.nextRunAt).where(sql`next_run_at is not null`),
    index('schedule_words').using('gin', sql`${table.searchText} public.gin_trgm_ops`),
    index('schedule_user').on(table.userId, table.id.desc()),
    index('schedule_connection').on(table.whatsappId),
    uniqueIndex('schedule_client').on(table.userId, table.clientId),
  ],
)

/** The contacts a send names one by one. */
export const scheduleContacts = pgTable(
  'schedule_contact',
  {
    scheduleId: belongsTo(() => schedules.id),
    contactId: belongsTo(() => contacts.id),
  },
  table => [
    primaryKey({ columns: [table.scheduleId, table.contactId] }),
    index('schedule_contact_contact').on(table.contactId, table.scheduleId.desc()),
  ],
)

/** The tags whose contacts a send goes to, as they are when it runs. */
export const scheduleTags = pgTable(
  'schedule_tag',
  {
    scheduleId: belongsTo(() => schedules.id),
    tagId: belongsTo(() => tags.id),
  },
  table => [primaryKey({ columns: [table.scheduleId, table.tagId] })],
)
