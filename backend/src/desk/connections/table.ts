import type { ConnectionNews, ConnectionStatus, ConnectionTrouble, Kind, KindConfig } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, version } from '../../platform/database/columns.ts'

/**
 * Connections. `epoch` is the fencing number of the owner: it grows when a process takes the connection over, and a write
 * that names an older one changes nothing. `wanted`: whether it should run at all.
 */
export const connections = pgTable(
  'whatsapp',
  {
    id: id(),
    name: text().notNull(),
    api: text().$type<Kind>().notNull(),
    isDefault: boolean().notNull().default(false),
    nps: boolean().notNull().default(false),
    status: text().$type<ConnectionStatus>().notNull().default('DISCONNECTED'),
    wanted: boolean().notNull().default(true),
    epoch: bigint({ mode: 'number' }).notNull().default(0),
    battery: integer(),
    number: text(),
    qrcode: text(),
    qrExpiresAt: instant(),
    pairCode: text(),
    retries: integer().notNull().default(0),
    trouble: jsonb().$type<ConnectionTrouble>(),
    greetingMessage: text().notNull().default(''),
    greetingBotMessage: text().notNull().default(''),
    greetingMessageRedirect: text().notNull().default(''),
    farewellMessage: text().notNull().default(''),
    npsMessage: text().notNull().default(''),
    npsTksMessage: text().notNull().default(''),
    /** What the kind's own fields of the form say (`KIND_TABLE`); secrets are sealed. */
    config: jsonb().$type<KindConfig>().notNull().default({}),
    publicDNSTypebot: text().notNull().default(''),
    publicIDTypebot: text().notNull().default(''),
    /** Messages of sends in a day; null: as the setting says. */
    dailyCap: integer(),
    /** The number it had last, and since when: a trigger writes both. A new number sends little at first. */
    knownNumber: text(),
    numberSince: instant(),
    lastMessageAt: instant(),
    /** What the provider told of the account by itself, newest first, and until when somebody has seen it. */
    news: jsonb().$type<ConnectionNews[]>().notNull().default([]),
    newsSeenAt: instant(),
    deletedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
    /** Its version when somebody saved the form last: what its owner tells of it meanwhile makes no form old. */
    savedVersion: version(),
  },
  table => [
    uniqueIndex('whatsapp_name_live').on(table.name).where(sql`deleted_at is null`),
    /** Two connections of one number would each make a ticket of every message. */
    uniqueIndex('whatsapp_phone_number_live')
      .on(sql`(config ->> 'phoneNumberId')`)
      .where(sql`deleted_at is null and config ->> 'phoneNumberId' <> ''`),
    uniqueIndex('whatsapp_one_default').on(table.isDefault).where(sql`is_default and deleted_at is null`),
  ],
)

/**
 * How a connection was doing, and since when: a row whenever status or reason change, and for each time its session began anew. A
 * trigger writes them, whoever changes the connection; they are kept 8 days, and the newest of before.
 */
export const connectionStatuses = pgTable(
  'whatsapp_status',
  {
    id: bigId(),
    whatsappId: belongsTo(() => connections.id),
    status: text().$type<ConnectionStatus>().notNull(),
    reason: text(),
    code: text(),
    /** The session began anew; the status is the one from before. */
    restart: boolean().notNull().default(false),
    at: instant().notNull(),
  },
  table => [index('whatsapp_status_page').on(table.whatsappId, table.at, table.id)],
)

/** What is counted of a connection, by the hour; kept 8 days. */
export const connectionCounts = pgTable(
  'whatsapp_count',
  {
    whatsappId: belongsTo(() => connections.id),
    what: text().$type<ConnectionCount>().notNull(),
    hour: instant().notNull(),
    count: integer().notNull(),
    lastAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.what, table.hour] })],
)
/** `webhook`: what its provider posted and we took; `refused`: what had no good signature; `ignoredGroup`: messages of groups that are ignored. */
export type ConnectionCount = 'webhook' | 'refused' | 'ignoredGroup'

/** What a paired device remembers (Baileys' creds and Signal keys of every type); one row a key. */
export const connectionAuth = pgTable(
  'whatsapp_auth',
  {
    whatsappId: belongsTo(() => connections.id),
    type: text().notNull(),
    keyId: text().notNull(),
    value: jsonb().notNull(),
  },
  table => [primaryKey({ columns: [table.whatsappId, table.type, table.keyId] })],
)

export type ConnectionCommand = 'start' | 'restart' | 'recreate' | 'logout' | 'pair' | 'check' | 'group'

/** What some process asks of a connection's owner, and the owner's answer. */
export const connectionCommands = pgTable(
  'whatsapp_command',
  {
    id: bigId(),
    whatsappId: belongsTo(() => connections.id),
    command: text().$type<ConnectionCommand>().notNull(),
    argument: text(),
    state: text().$type<'waiting' | 'done' | 'failed'>().notNull().default('waiting'),
    answer: jsonb().$type<unknown>(),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('whatsapp_command_waiting').on(table.whatsappId, table.id).where(sql`state = 'waiting'`)],
)
