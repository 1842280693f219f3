// Changing settings: stored, logged, told to everybody; they take effect with the next request (decisions §5).
import {
  canWriteSetting,
  DEFAULTS,
  findSettingFault,
  isPublicSetting,
  isSettingKey,
  listSettingsSwitchedOff,
  normalizeSettingText,
  parseSettings,
  SETTINGS,
  type SettingFault,
  type SettingKey,
  type SettingSaveResult,
  type Settings,
  toSettingTexts,
  validateSettings,
} from '@balcao/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import type { Audience } from '../../platform/live/table.ts'
import { isHidden, OWNER_ID } from '../access/hidden-owner.ts'
import { change, type Parts } from '../kit/parts.ts'
import { type LogRecord, writeLog } from '../log/write.ts'
import type { Session } from '../sessions/authenticate.ts'
import { users } from '../users/table.ts'
import { createApiToken } from './api-token.ts'
import { findLastChanges, toSetting } from './list.ts'
import { clearSettingsCache } from './read.ts'
import { settings } from './table.ts'

/** Whoever changes settings waits for who does: of two that exclude each other, and of two people, one is always the later one. */
const ONE_AT_A_TIME = 7_114_006
const USUAL = new Map<string, string>(toSettingTexts(DEFAULTS))

/** What the log does not repeat. */
const LONG: ReadonlySet<string> = new Set(['text', 'address', 'holidays'])

/** What is computed from settings and kept elsewhere changes with them. */
export type SettingsChangeHook = (tx: Tx, keys: readonly SettingKey[], settings: Settings) => Promise<void>
type Texts = Readonly<Record<string, string>>
type Versions = Readonly<Record<string, number>>
/** What is written: as it is kept, and what was wrong with the text it came as. */
interface Write {
  readonly key: SettingKey
  readonly value: string
  readonly warning?: 'defaultText'
}

/**
 * Saves several settings, all or none. Of two that exclude each other the other one is switched off.
 * @returns those that changed. Throws `ERR_NO_SETTING_FOUND`, `ERR_NO_PERMISSION`, `ERR_VALIDATION`, `ERR_CHANGED_MEANWHILE`.
 */
export function changeSettings(
  parts: Parts,
  session: Session,
  values: Texts,
  versions: Versions = {},
  also?: SettingsChangeHook,
) {
  return save(parts, session, values, versions, key => `values/${key}`, also)
}

/** Saves one; the same refusals. `userApiToken` takes `new`, which only this answer shows, and an empty value, which takes it away. */
export async function changeSetting(
  parts: Parts,
  session: Session,
  key: string,
  { value, version }: { readonly value: string; readonly version?: number },
  also?: SettingsChangeHook,
): Promise<SettingSaveResult> {
  const versions = version === undefined ? {} : { [key]: version }
  if (key === 'userApiToken') return changeApiToken(parts, session, value, versions)
  const saved = await save(parts, session, { [key]: value }, versions, () => 'value', also)
  const own = saved.find(setting => setting.key === key)
  if (!own) throw new AppError('ERR_NO_SETTING_FOUND')
  return own
}

async function save(
  parts: Parts,
  session: Session,
  values: Texts,
  versions: Versions,
  pathOf: (key: string) => string,
  also?: SettingsChangeHook,
): Promise<SettingSaveResult[]> {
  const keys = Object.keys(values).map(key => {
    if (!isSettingKey(key)) throw new AppError('ERR_NO_SETTING_FOUND')
    if (!canWriteSetting(session.viewer, key)) throw new AppError('ERR_NO_PERMISSION')
    return key
  })
  refuse(validateSettings(values), pathOf)
  const requested = keys.map(key => toWrite(key, values[key] ?? ''))
  const saved = await change(parts, async tx => {
    const before = await held(tx, session, versions)
    const named = requested.filter(({ key, value }) => before.get(key) !== value)
    await checkPerson(tx, session, named, pathOf)
    const off = requested.flatMap(({ key, value }) => listSettingsSwitchedOff(key, value))
    const writes = [...requested, ...off.map((key): Write => ({ key, value: 'disabled' }))]
    const changed = writes.filter(({ key, value }) => (before.get(key) ?? USUAL.get(key)) !== value)
    for (const { key, value } of changed) {
      await store(tx, session, key, value)
      const params = LONG.has(SETTINGS[key].kind) ? { key } : { key, from: before.get(key) ?? USUAL.get(key), value }
      await writeLog(tx, { action: 'setting.update', params, userId: session.viewer.id })
    }
    if (changed.length > 0) await also?.(tx, listKeys(changed), await readStoredSettings(tx))
    const changes = await findLastChanges(tx, session.viewer)
    const published = writes.filter(write => requested.includes(write) || changed.includes(write))
    return published.map(({ key, value, ...more }) => ({ ...toSetting(key, value, changes.get(key)), ...more }))
  })
  clearSettingsCache(parts.db)
  return saved
}

/** Settings that name somebody who goes away name nobody from then on; the caller forgets the copies after its transaction. */
export async function clearPersonSettings(tx: Tx, session: Session, userId: number): Promise<void> {
  for (const [key, from] of await held(tx, session, {})) {
    if (!isSettingKey(key) || SETTINGS[key].kind !== 'person' || from !== String(userId)) continue
    await store(tx, session, key, '')
    await writeLog(tx, { action: 'setting.update', params: { key, from, value: '' }, userId: session.viewer.id })
  }
}

async function changeApiToken(
  parts: Parts,
  session: Session,
  value: string,
  versions: Versions,
): Promise<SettingSaveResult> {
  if (value !== 'new' && value !== '') refuse({ userApiToken: findSettingFault('userApiToken', value) }, () => 'value')
  const { token, stored } = value === 'new' ? createApiToken() : { token: '', stored: '' }
  const action: LogRecord['action'] = value === 'new' ? 'setting.createToken' : 'setting.removeToken'
  const saved = await change(parts, async tx => {
    await held(tx, session, versions)
    await store(tx, session, 'userApiToken', stored)
    await writeLog(tx, { action, userId: session.viewer.id })
    return toSetting('userApiToken', stored, (await findLastChanges(tx, session.viewer)).get('userApiToken'))
  })
  clearSettingsCache(parts.db)
  return { ...saved, value: token }
}

function toWrite(key: SettingKey, text: string): Write {
  const value = normalizeSettingText(key, text) ?? text
  const isEmptied = SETTINGS[key].kind === 'text' && text.trim() === '' && value !== ''
  return isEmptied ? { key, value, warning: 'defaultText' } : { key, value }
}

/** Waits for its turn; the texts as they are then. Throws `ERR_CHANGED_MEANWHILE` with those that are newer than somebody has read. */
async function held(tx: Tx, session: Session, versions: Versions): Promise<ReadonlyMap<string, string>> {
  await getSql(tx)`select pg_advisory_xact_lock(${ONE_AT_A_TIME})`
  const stored = await tx.select({ key: settings.key, value: settings.value }).from(settings)
  const before = new Map(stored.map(({ key, value }) => [key, value]))
  if (Object.keys(versions).length === 0) return before
  const changes = await findLastChanges(tx, session.viewer)
  const newer = Object.entries(versions).flatMap(([key, version]) => {
    if (!isSettingKey(key) || (changes.get(key)?.version ?? 0) <= version) return []
    return [toSetting(key, before.get(key) ?? '', changes.get(key))]
  })
  if (newer.length > 0) throw new AppError('ERR_CHANGED_MEANWHILE', newer)
  return before
}

async function checkPerson(
  tx: Tx,
  { viewer }: Session,
  writes: readonly Write[],
  pathOf: (key: string) => string,
): Promise<void> {
  const person = writes.find(({ key, value }) => SETTINGS[key].kind === 'person' && value !== '')
  if (!person) return
  const isThere = and(eq(users.id, Number(person.value)), users.active, isNull(users.deletedAt))
  const hidden = isHidden(viewer, Number(person.value))
  if (hidden || (await tx.$count(users, isThere)) === 0) refuse({ [person.key]: { code: 'nobody' } }, pathOf)
}

function listKeys(writes: readonly Write[]): SettingKey[] {
  return writes.map(({ key }) => key)
}

/** As this transaction leaves them. */
async function readStoredSettings(tx: Tx): Promise<Settings> {
  const stored = await tx.select({ key: settings.key, value: settings.value }).from(settings)
  return parseSettings(Object.fromEntries(stored.map(({ key, value }) => [key, value])))
}

async function store(tx: Tx, { viewer }: Session, key: SettingKey, value: string): Promise<void> {
  const set = { value, userId: viewer.id, updatedAt: sql`now()`, version: sql`${settings.version} + 1` }
  const [row] = await tx
    .insert(settings)
    .values({ key, value, userId: viewer.id })
    .onConflictDoUpdate({ target: settings.key, set })
    .returning({ version: settings.version })
  const { value: shown } = toSetting(key, value, undefined)
  await appendEvent(tx, resolveAudience(key), {
    event: 'settings',
    action: 'update',
    version: row?.version ?? 1,
    setting: { key, value: shown },
  })
}

/** Whoever may read it. */
function resolveAudience(key: SettingKey): Audience {
  if (SETTINGS[key].writer === 'owner') return { to: 'users', userIds: [OWNER_ID] }
  return isPublicSetting(key) ? { to: 'everyone' } : { to: 'admins' }
}

function refuse(faults: Readonly<Record<string, SettingFault | null>>, pathOf: (key: string) => string): void {
  const found = Object.entries(faults).flatMap(([key, fault]) => (fault ? [{ path: pathOf(key), ...fault }] : []))
  if (found.length > 0) throw createValidationError('setting', found)
}
