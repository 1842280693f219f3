import type { MessageState, TicketStatus } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, refersTo, version } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'
import { connections } from '../connections/table.ts'
import { contacts } from '../contacts/table.ts'

/** Since when who waits does: until a message that no person has answered is there, since the ticket is. */
const WAITS_SINCE = sql`coalesce(answer_since, created_at)`
const DUE = sql`coalesce(answer_due_at, 'infinity'::timestamptz)`

/**
 * Tickets. `ticket_live` makes two live tickets of one contact on one connection impossible: whoever loses the race gets the
 * existing one. `messageSeq` is the number of the last message given out, under this row's lock.
 */
export const tickets = pgTable(
  'ticket',
  {
    id: id(),
    status: text().$type<TicketStatus>().notNull(),
    contactId: refersTo(() => contacts.id),
    whatsappId: refersTo(() => connections.id),
    /**
     * Kept when its queue goes: a ticket without a queue is seen by everybody, one of a queue nobody has by administrators alone. So it is
     * no foreign key; triggers see that a ticket is only put into a queue that is there, and that no queue goes with live tickets.
     */
    queueId: integer(),
    /** People stay as rows, for the same reason: a ticket of nobody is seen by more. */
    userId: integer().references(() => users.id),
    isGroup: boolean().notNull().default(false),
    unreadMessages: integer().notNull().default(0),
    lastMessage: text().notNull().default(''),
    lastMessageId: bigint({ mode: 'number' }),
    lastMessageType: text().notNull().default('chat'),
    lastMessageFromMe: boolean().notNull().default(false),
    lastMessageState: text().$type<MessageState>(),
    lastMessageAt: instant().notNull().defaultNow(),
    pauseTag: text(),
    /**
     * When the pause ends by itself. This and who paused mean something while the ticket is paused, and stand there until it is again. Where
     * its time ended it, this is that instant and `pausedBy` null; words that come take it away (`woken.ts`).
     */
    pauseUntil: instant(),
    /** Who paused a ticket that comes back by itself, at the latest with an answer; null: it stays until somebody resumes it. */
    pausedBy: integer(),
    /** How often the menu of queues was shown, while the customer is to choose one; null while no choice is asked for. */
    menusShown: integer(),
    menuShownAt: instant(),
    /** With the bot: how often in a row nothing was chosen of its menu, and how often it has answered. */
    botMisses: integer().notNull().default(0),
    botTurns: integer().notNull().default(0),
    /**
     * Since when the customer waits for the answer of a person, when one answered last in this round, and until when the next answer is due
     * (docs/decisions/0317). A trigger keeps them as status and queue change, and writes what was answered to `ticket_answer`.
     */
    answerSince: instant(),
    answeredAt: instant(),
    answerDueAt: instant(),
    /** When the customer was told that the company is closed: once a ticket. */
    toldClosedAt: instant(),
    messageSeq: integer().notNull().default(0),
    /** Nothing of the customer's up to this number is unread. It may lag: what is unread is looked for behind it. */
    readSeq: integer().notNull().default(0),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    acceptedAt: instant(),
    closedAt: instant(),
    version: version(),
  },
  table => [
    uniqueIndex('ticket_live')
      .on(table.contactId, table.whatsappId)
      .where(sql`status in ('pending', 'open', 'paused', 'bot', 'nps')`),
    // A page of a list is a union of such ranges (list-branches.ts): each begins where the cursor points and nothing in it is skipped.
    // Each of person and queue has an index for "none" of its own: Postgres does not take `is null` on a leading column for a range
    // that is in order, and would read every ticket of the status instead. A ticket stands in as many indexes as with one for both.
    index('ticket_page').on(table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc()),
    index('ticket_user_page')
      .on(table.userId, table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`user_id is not null`),
    index('ticket_nobody_page')
      .on(table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`user_id is null`),
    index('ticket_queue_page')
      .on(table.queueId, table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`queue_id is not null`),
    index('ticket_no_queue_page')
      .on(table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`queue_id is null`),
    index('ticket_unassigned_page')
      .on(table.queueId, table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`user_id is null and queue_id is not null`),
    index('ticket_nobody_no_queue_page')
      .on(table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`user_id is null and queue_id is null`),
    // Of whom some queues' tickets are shown: each queue and person is a range, so what lies in queues they have left is not read.
    index('ticket_queue_user_page')
      .on(table.queueId, table.userId, table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`queue_id is not null and user_id is not null`),
    index('ticket_user_no_queue_page')
      .on(table.userId, table.status, table.isGroup, table.lastMessageAt.desc(), table.id.desc())
      .where(sql`user_id is not null and queue_id is null`),
    // The same ranges of those who wait, the longest first: a few hundred rows, however many tickets there are.
    index('ticket_waits').on(WAITS_SINCE, table.id).where(sql`status = 'pending' and not is_group`),
    index('ticket_queue_waits')
      .on(table.queueId, WAITS_SINCE, table.id)
      .where(sql`status = 'pending' and not is_group and queue_id is not null`),
    index('ticket_no_queue_waits')
      .on(WAITS_SINCE, table.id)
      .where(sql`status = 'pending' and not is_group and queue_id is null`),
    // The same ranges of those to be answered, what is due first before, then those without a target.
    index('ticket_due').on(table.status, DUE, table.id).where(sql`status in ('pending', 'open') and not is_group`),
    index('ticket_queue_due')
      .on(table.queueId, table.status, DUE, table.id)
      .where(sql`status in ('pending', 'open') and not is_group and queue_id is not null`),
    index('ticket_user_due')
      .on(table.userId, table.status, DUE, table.id)
      .where(sql`status in ('pending', 'open') and not is_group and user_id is not null`),
    index('ticket_pause_due').on(table.pauseUntil).where(sql`status = 'paused' and pause_until is not null`),
    index('ticket_closed').on(table.closedAt, table.queueId, table.userId).where(sql`status = 'closed'`),
    // With all that the policy and the lists ask, so that the newest visible tickets of many contacts are known from it alone.
    index('ticket_contact').on(
      table.contactId,
      table.id.desc(),
      table.lastMessageAt,
      table.status,
      table.isGroup,
      table.queueId,
      table.userId,
      table.messageSeq,
    ),
    // Those opened in a period, the newest first: what reports are made of.
    index('ticket_opened').on(table.createdAt, table.id),
    index('ticket_whatsapp_live').on(table.whatsappId).where(sql`status <> 'closed'`),
  ],
)

/** What a person keeps on top of the list. A trigger lets go of what closes, whoever closes it. */
export const ticketPins = pgTable(
  'ticket_pin',
  {
    userId: belongsTo(() => users.id),
    ticketId: belongsTo(() => tickets.id),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [primaryKey({ columns: [table.userId, table.ticketId] }), index('ticket_pin_ticket').on(table.ticketId)],
)

/** Colleagues who were asked in. A trigger lets go of what closes and of who takes over, whoever does it. */
export const ticketFollowers = pgTable(
  'ticket_follower',
  {
    userId: belongsTo(() => users.id),
    ticketId: belongsTo(() => tickets.id),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [
    primaryKey({ columns: [table.userId, table.ticketId] }),
    index('ticket_follower_ticket').on(table.ticketId),
  ],
)

/**
 * A running tally of live tickets for the badges: a trigger adds +1 and −1 rows, a job folds them. Nothing is counted, nothing
 * is locked. Made and kept by hand-written SQL in the migrations.
 */
export const ticketTally = pgTable(
  'ticket_tally',
  {
    id: bigId(),
    status: text().$type<TicketStatus>().notNull(),
    queueId: integer(),
    userId: integer(),
    isGroup: boolean().notNull(),
    unread: boolean().notNull(),
    n: integer().notNull(),
  },
  table => [index('ticket_tally_status').on(table.status)],
)

/**
 * Every period a ticket spent in a status, with its queue and person (docs/decisions/0175). A deferred trigger writes them, whoever
 * changes a ticket: a period is what was committed. Each begins where the one before ended, and the one of now has no end. A closing
 * is a row that ends where it begins: who closed it, when, in which queue. Who was never live has none.
 */
export const ticketSpans = pgTable(
  'ticket_span',
  {
    id: bigId(),
    ticketId: belongsTo(() => tickets.id),
    status: text().$type<TicketStatus>().notNull(),
    queueId: integer(),
    userId: integer(),
    begunAt: instant().notNull(),
    endedAt: instant(),
    /** Working milliseconds from an epoch to these instants, by the business calendar (`work_at`); null until that is there. */
    begunWork: bigint({ mode: 'number' }),
    endedWork: bigint({ mode: 'number' }),
  },
  table => [
    index('ticket_span_ticket').on(table.ticketId, table.id),
    uniqueIndex('ticket_span_now').on(table.ticketId).where(sql`ended_at is null`),
    // Who has waited longest, by queue, and whose survey nobody answers: what the sweeps read of a hundred thousand is what is due. Without
    // a queue is 0, because Postgres does not take `is null` on a leading column for a range that is in order.
    index('ticket_span_waits')
      .on(sql`coalesce(queue_id, 0)`, table.begunAt)
      .where(sql`ended_at is null and status = 'pending'`),
    index('ticket_span_asked').on(table.begunAt).where(sql`ended_at is null and status = 'nps'`),
  ],
)

/**
 * Each answer that had a target, as it was then: a trigger writes it, and later targets and hours change nothing. Of the queue and person
 * that had the ticket.
 */
export const ticketAnswers = pgTable(
  'ticket_answer',
  {
    id: bigId(),
    ticketId: belongsTo(() => tickets.id),
    queueId: integer(),
    userId: integer(),
    kind: text().$type<'first' | 'later'>().notNull(),
    dueAt: instant().notNull(),
    at: instant().notNull(),
  },
  // With all that figures ask.
  table => [
    index('ticket_answer_ticket').on(table.ticketId),
    index('ticket_answer_at').on(table.at, table.queueId, table.userId, table.kind, table.dueAt),
  ],
)
