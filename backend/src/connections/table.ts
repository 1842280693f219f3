import type { ConnectionNews, ConnectionStatus, ConnectionTrouble, Kind, KindConfig } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { belongsTo, bigId, id, instant, version } from '../database/columns.ts'

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
    lastMessageAt: instant(),
    /** What the provider told of the account by itself, newest first, and until when somebody has seen it. */
    news: jsonb().$type<ConnectionNews[]>().notNull().default([]),
    newsSeenAt: instant(),
    deletedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: version(),
  },
  table => [
    uniqueIndex('whatsapp_name_live').on(table.name).where(sql`deleted_at is null`),
    uniqueIndex('whatsapp_one_default').on(table.isDefault).where(sql`is_default and deleted_at is null`),
  ],
)

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
