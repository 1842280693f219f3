import type { DeliveryFault, DeliveryState, WEBHOOK_STOPS, WebhookData, WebhookEventType } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, customType, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, version } from '../../platform/database/columns.ts'

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/** So long what was told is kept, with its deliveries. */
export const KEPT_DAYS = 7

/**
 * Addresses that are told what happens (docs/decisions/0301). One process at a time delivers to each, for a turn: it holds the row until
 * `busyUntil`, and what it settles counts only while `turn` is its own. Filters name by id what may be gone: ids are never given twice.
 */
export const webhooks = pgTable('webhook', {
  id: id(),
  name: text().notNull(),
  address: text().notNull(),
  secretSealed: text().notNull(),
  /** The one before: each call is signed with it as well until then. */
  oldSecretSealed: text(),
  oldSecretUntil: instant(),
  events: text().array().$type<WebhookEventType[]>().notNull(),
  connectionIds: integer().array(),
  queueIds: integer().array(),
  fields: text().array().notNull(),
  active: boolean().notNull().default(true),
  stopReason: text().$type<(typeof WEBHOOK_STOPS)[number]>(),
  stoppedAt: instant(),
  /** What happened before is not told. */
  since: instant().notNull().defaultNow(),
  /** The last event that was looked at for this address. */
  position: bigint({ mode: 'number' }).notNull().default(0),
  /** Turns in a row in which nothing came through, and since when. */
  failures: integer().notNull().default(0),
  failingSince: instant(),
  retryAt: instant(),
  busyUntil: instant(),
  turn: bigint({ mode: 'number' }).notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
  version: version(),
})

/**
 * What happened, once for all addresses, in the order in which it is told: whoever adds rows holds `webhook_cursor`. `key`: what is told
 * once however often it is seen. `lane`: the ticket, contact or connection whose events keep their order.
 */
export const webhookEvents = pgTable(
  'webhook_event',
  {
    id: bigId(),
    type: text().$type<WebhookEventType>().notNull(),
    key: text(),
    lane: text().notNull(),
    contactId: integer(),
    connectionId: integer(),
    queueId: integer(),
    data: jsonb().$type<WebhookData>().notNull(),
    /** A sample that somebody sent: told to nobody else. */
    test: boolean().notNull().default(false),
    happenedAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [
    uniqueIndex('webhook_event_key').on(table.key).where(sql`key is not null`),
    index('webhook_event_age').on(table.createdAt),
  ],
)

/** An event on its way to one address. `uid` is its `webhook-id`. */
export const webhookDeliveries = pgTable(
  'webhook_delivery',
  {
    id: bigId(),
    webhookId: belongsTo(() => webhooks.id),
    eventId: bigint({ mode: 'number' })
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    lane: text().notNull(),
    uid: text().notNull().default(sql`'msg_' || replace(gen_random_uuid()::text, '-', '')`),
    state: text().$type<DeliveryState>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    nextAt: instant().notNull().defaultNow(),
    createdAt: instant().notNull().defaultNow(),
    triedAt: instant(),
    /** What came of the last try; `answer` is its beginning, without what was chosen of people. */
    status: integer(),
    fault: text().$type<DeliveryFault>(),
    milliseconds: integer(),
    answer: text().notNull().default(''),
  },
  table => [
    index('webhook_delivery_page').on(table.webhookId, table.id),
    index('webhook_delivery_pending').on(table.webhookId, table.lane, table.id).where(sql`state = 'pending'`),
    index('webhook_delivery_event').on(table.eventId),
  ],
)

/** How far live events were looked through, and how connections stood there; one row while somebody is told. */
export const webhookCursor = pgTable('webhook_cursor', {
  id: integer().primaryKey().default(1),
  xid: xid8().notNull(),
  eventId: bigint({ mode: 'number' }).notNull(),
  connectionStates: jsonb().$type<Record<string, string>>().notNull().default({}),
  /** When the newest event happened that was swept before anybody was told of it. */
  missedAt: instant(),
})
