// Settings as the rest of the server reads them: typed, with the contract's defaults, from a short-lived copy in memory.
import {
  type NoticeSettings,
  SETTINGS,
  type SettingKey,
  type SettingValues,
  type ShownSettings,
} from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

/** How long a copy may be used without looking. A change made by this process or told by a live event ends it at once. */
const FRESH_MS = 2000

type Copy = { readonly values: SettingValues; readonly until: number }
/** By database: every pool on it shares the copy. */
const copies = new Map<string, Promise<Copy>>()

/** All settings, each with its value or the default of the contract. */
export async function readSettings(db: Db): Promise<SettingValues> {
  const known = copies.get(databaseOf(db))
  if (known) {
    const copy = await known
    if (copy.until > Date.now()) return copy.values
  }
  const reading = load(db).then(values => ({ values, until: Date.now() + FRESH_MS }))
  copies.set(databaseOf(db), reading)
  reading.catch(() => copies.delete(databaseOf(db)))
  return (await reading).values
}

/** Settings as they are in this transaction, past every copy. */
export async function readSettingsIn(tx: Tx): Promise<SettingValues> {
  return load(tx)
}

/** Whether a toggle is enabled. */
export async function settingOn(db: Db, key: SettingKey): Promise<boolean> {
  return (await readSettings(db))[key] === 'enabled'
}

/** The settings that change who sees what. */
export function accessSettingsOf(values: SettingValues): ShownSettings {
  return {
    onlyAdminSeeEmptyQueue: values.onlyAdminSeeEmptyQueue === 'enabled',
    userShowAll: values.userShowAll === 'enabled',
    userClosedQueues: values.userClosedQueues === 'enabled',
    groupPerUser: values.groupPerUser === 'enabled',
    hierarchy: values.hierarchy === 'enabled',
    adminChatInterno: values.adminChatInterno === 'enabled',
    onlyTicketMsg: values.onlyTicketMsg === 'enabled',
    historyByConnection: values.historyByConnection === 'enabled',
    historyByQueue: values.historyByQueue === 'enabled',
    historyByUser: values.historyByUser === 'enabled',
  }
}

/** The settings that change who is told of what. */
export function noticeSettingsOf(values: SettingValues): NoticeSettings {
  return {
    notificateAllTickets: values.notificateAllTickets === 'enabled',
    notifyGroupToAllUsers: values.notifyGroupToAllUsers === 'enabled',
  }
}

/** To be called when a setting was changed: the next reader looks into the database. */
export function forgetSettings(db: Db): void {
  copies.delete(databaseOf(db))
}

/** Settings from what is stored; the rest has the contract's defaults, unknown keys are left out. */
export function settingsFrom(stored: Readonly<Record<string, string>>): SettingValues {
  const values = { ...DEFAULTS }
  for (const [key, value] of Object.entries(stored)) if (isSettingKey(key)) values[key] = value
  return values
}

function databaseOf({ $client }: Db): string {
  const { host, port, database } = $client.options
  return `${host}:${port}/${database}`
}

async function load(db: Db | Tx): Promise<SettingValues> {
  const stored = await sqlOf(db)<{ key: string; value: string }[]>`select key, value from setting`
  return settingsFrom(Object.fromEntries(stored.map(({ key, value }) => [key, value])))
}

/** Whether a text is the key of a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key)
}

const DEFAULTS = defaultsOf(SETTINGS)

function defaultsOf<T extends Record<string, { readonly default: string }>>(table: T): Record<keyof T, string> {
  const entries = Object.entries(table).map(([key, definition]) => [key, definition.default])
  return Object.fromEntries(entries)
}
