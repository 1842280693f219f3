// What the manager's figures are read from (docs/decisions/0224): filled by triggers and by this room's jobs, by hand-written SQL in the
// migrations.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { ticketSpans } from '../../desk/tickets/table.ts'
import { bigId, id, instant } from '../../platform/database/columns.ts'

/**
 * When the company is open, span by span, with the working milliseconds before each: `work_at` counts by it. Made from the contract's
 * calendar, and anew when that changes.
 */
export const workSpans = pgTable(
  'work_span',
  {
    begins: instant().primaryKey(),
    ends: instant().notNull(),
    before: bigint({ mode: 'number' }).notNull(),
  },
  // The other way round: when so much working time has passed (`work_after`).
  table => [index('work_span_before').on(table.before)],
)

/** The one row that says what `work_span` and the days were made from. */
export const figureCalendars = pgTable('figure_calendar', {
  id: integer().primaryKey(),
  /** The settings the calendar was made from, as text. */
  madeFrom: text().notNull(),
  timezone: text().notNull(),
  epoch: timestamp({ mode: 'string', precision: 3, withTimezone: true }).notNull(),
  until: instant().notNull(),
  /** The last period whose working time is by this calendar, while they are counted anew; null: all are. */
  countedTo: bigint({ mode: 'number' }),
})

/**
 * Days counted by a time zone. Those that are `current` are shown; others are counted beside them, ticket by ticket in the order of their
 * ids, and take their place when all are counted (docs/decisions/0247). Those that are `gone` are removed.
 */
export const figureCounts = pgTable(
  'figure_count',
  {
    id: id(),
    timezone: text().notNull(),
    state: text().$type<'counting' | 'current' | 'gone'>().notNull(),
    /** The last ticket that is counted. */
    countedTo: integer().notNull().default(0),
    /** The last one to be counted: of later ones every change is told. Null: who changes tickets may not know yet that days are counted. */
    countedUntil: integer(),
  },
  table => [uniqueIndex('figure_count_state').on(table.state).where(sql`state <> 'gone'`)],
)

/**
 * What a ticket's periods add up to: `wait` from when it first waited for people to its first acceptance, `service` from an acceptance to
 * the resolving, the time it was open; `survey`: that one was sent. Of the person and queue, and at the instant, of the acceptance or
 * resolving.
 */
export const ticketFigures = pgTable(
  'ticket_figure',
  {
    /** The period that begins with the acceptance, the resolving or the survey: what was resolved with one has both. */
    spanId: bigint({ mode: 'number' })
      .notNull()
      .references(() => ticketSpans.id, { onDelete: 'cascade' }),
    ticketId: integer().notNull(),
    kind: text().$type<'wait' | 'service' | 'survey'>().notNull(),
    at: instant().notNull(),
    queueId: integer(),
    userId: integer(),
    whatsappId: integer().notNull(),
    /** Working milliseconds; null until the calendar is there. */
    work: bigint({ mode: 'number' }),
  },
  table => [
    primaryKey({ columns: [table.spanId, table.kind] }),
    index('ticket_figure_ticket').on(table.ticketId),
    index('ticket_figure_at').on(table.at),
  ],
)

const SUMS = {
  generation: integer().notNull(),
  /** In the company's time zone. */
  day: date().notNull(),
  queueId: integer(),
  userId: integer(),
  whatsappId: integer().notNull(),
  /** Tickets by the day they were opened, with their present person and queue. */
  opened: integer().notNull().default(0),
  /** Tickets that are closed, by the day of their closing. */
  closed: integer().notNull().default(0),
  waits: integer().notNull().default(0),
  waitMs: bigint({ mode: 'number' }).notNull().default(0),
  services: integer().notNull().default(0),
  serviceMs: bigint({ mode: 'number' }).notNull().default(0),
  ratings: integer().notNull().default(0),
  stars: integer().notNull().default(0),
  /** Surveys by the day they were sent, and how many of those were answered, be it later. */
  asked: integer().notNull().default(0),
  answered: integer().notNull().default(0),
}

/** The first of the twelve hours of opening that are shown (spec 1 §9). */
export const FIRST_HOUR = 8

/**
 * The sums of finished minutes, a row a day, queue, person and connection, and besides a row a day and queue, a day and person, and a day:
 * what is asked most is a few rows, however large the company. `hours`: tickets opened in each of the twelve from 8 on.
 */
export const figureDays = pgTable(
  'figure_day',
  {
    id: bigId(),
    ...SUMS,
    /** Null in the sums over all queues or all people. */
    whatsappId: integer(),
    allQueues: boolean().notNull(),
    allUsers: boolean().notNull(),
    hours: integer().array().notNull(),
    /** How many gave 1, 2, 3, 4 and 5. */
    rates: integer().array().notNull(),
  },
  table => [
    unique('figure_day_once')
      .on(table.generation, table.allQueues, table.allUsers, table.day, table.queueId, table.userId, table.whatsappId)
      .nullsNotDistinct(),
  ],
)

/** What came since, more and less: a job folds it into the days every minute. Sums are read over both. */
export const figureChanges = pgTable('figure_change', {
  id: bigId(),
  ...SUMS,
  ticketId: integer().notNull(),
  /** Of what was opened. */
  hour: smallint(),
  contactId: integer(),
})

/**
 * Tickets opened, by contact: with queue and person a day, and for who had the most of a whole month or year, where an index gives the
 * first four however many contacts there are, by month, by month and queue, by month and person, and by year.
 */
export const figureContacts = pgTable(
  'figure_contact',
  {
    id: bigId(),
    generation: integer().notNull(),
    span: text().$type<ContactSpan>().notNull(),
    /** Its first day. */
    day: date().notNull(),
    contactId: integer().notNull(),
    queueId: integer(),
    userId: integer(),
    opened: integer().notNull(),
  },
  table => [
    unique('figure_contact_once')
      .on(table.generation, table.span, table.day, table.contactId, table.queueId, table.userId)
      .nullsNotDistinct(),
    index('figure_contact_most')
      .on(table.generation, table.span, table.day, table.opened.desc(), table.contactId)
      .where(sql`span in ('month', 'year')`),
    index('figure_contact_most_of_queue')
      .on(table.generation, table.day, table.queueId, table.opened.desc(), table.contactId)
      .where(sql`span = 'month of queue'`),
    index('figure_contact_most_of_user')
      .on(table.generation, table.day, table.userId, table.opened.desc(), table.contactId)
      .where(sql`span = 'month of user'`),
  ],
)

export type ContactSpan = 'day' | 'month' | 'month of queue' | 'month of user' | 'year'

/**
 * Messages by quarter of an hour, in which every time zone's days begin: those of before `figure_message_until`, counted once they are
 * two hours old. A trigger adds what comes later still and takes off what goes; a job makes one row of a quarter's rows.
 */
export const figureMessages = pgTable(
  'figure_message',
  { id: bigId(), quarter: instant().notNull(), n: integer().notNull() },
  table => [index('figure_message_quarter').on(table.quarter)],
)

/** The same by day of UTC, kept by a trigger on the quarters: a long period is its whole days, and quarters at both ends. */
export const figureMessageDays = pgTable(
  'figure_message_day',
  { id: bigId(), day: date().notNull(), n: integer().notNull() },
  table => [index('figure_message_day_day').on(table.day, table.n)],
)

/** The one row that says up to where messages are counted. */
export const figureMessageMarks = pgTable('figure_message_until', {
  id: integer().primaryKey(),
  until: instant().notNull(),
})
