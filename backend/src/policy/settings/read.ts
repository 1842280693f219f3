// Settings as the rest of the server reads them: typed, with the contract's defaults, from a short-lived copy in memory.
import {
  ACCESS_SETTINGS,
  HISTORY_SETTINGS,
  parseSettings,
  type Settings,
  type VisibilitySettings,
} from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { settings } from './table.ts'

/** How long a copy may be used without looking. A change made by this process or told by a live event ends it at once. */
const FRESH_MS = 2000

type Copy = { readonly values: Settings; readonly until: number }
/** By database: every pool on it shares the copy. */
const copies = new Map<string, Promise<Copy>>()

/** All settings, each with its value or the default of the contract. */
export async function readSettings(db: Db): Promise<Settings> {
  const known = copies.get(toCacheKey(db))
  if (known) {
    const copy = await known
    if (copy.until > Date.now()) return copy.values
  }
  const reading = load(db).then(values => ({ values, until: Date.now() + FRESH_MS }))
  copies.set(toCacheKey(db), reading)
  reading.catch(() => copies.delete(toCacheKey(db)))
  return (await reading).values
}

/** The settings that decide what of the desk's conversations somebody is shown: only a change of these is another view. */
export function pickVisibilitySettings(settings: Settings): VisibilitySettings {
  const shown = [...ACCESS_SETTINGS, ...HISTORY_SETTINGS].map(key => [key, settings[key]])
  return Object.fromEntries(shown)
}

/** To be called when a setting was changed: the next reader looks into the database. */
export function clearSettingsCache(db: Db): void {
  copies.delete(toCacheKey(db))
}

function toCacheKey({ $client }: Db): string {
  const { host, port, database } = $client.options
  return `${host}:${port}/${database}`
}

async function load(db: Db): Promise<Settings> {
  const stored = await db.select({ key: settings.key, value: settings.value }).from(settings)
  return parseSettings(Object.fromEntries(stored.map(({ key, value }) => [key, value])))
}
