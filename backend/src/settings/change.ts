// Changing a setting: stored, logged, told to everybody; it takes effect with the next request (decisions §5).
import {
  isPublicSetting,
  isSettingKey,
  mayWriteSetting,
  SETTING_PROBLEMS,
  SETTINGS,
  type SettingKey,
  settingFault,
  switchedOffBy,
} from '@balcao/contract'
import { sql } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { AppError, invalid } from '../http/errors.ts'
import { appendEvent } from '../live/append.ts'
import type { Audience } from '../live/table.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { maskedToken, newApiToken } from './api-token.ts'
import { forgetSettings } from './read.ts'
import { settings } from './table.ts'

/** Throws `ERR_NO_SETTING_FOUND`, `ERR_NO_PERMISSION`, `ERR_VALIDATION`. Of two settings that exclude each other the other one is switched off. */
export async function changeSetting(
  parts: Parts,
  session: Session,
  key: string,
  value: string,
): Promise<{ key: string; value: string }> {
  if (!isSettingKey(key)) throw new AppError('ERR_NO_SETTING_FOUND')
  if (!mayWriteSetting(session.viewer, key)) throw new AppError('ERR_NO_PERMISSION')
  if (key === 'userApiToken') return changeApiToken(parts, session, value)
  check(key, value)
  await change(parts, async tx => {
    await store(tx, key, value)
    for (const other of switchedOffBy(key, value)) await store(tx, other, 'disabled')
    await writeLog(tx, {
      action: 'setting.update',
      params: { key, value: SETTINGS[key].kind === 'text' ? undefined : value },
      userId: session.viewer.id,
    })
  })
  forgetSettings(parts.db)
  return { key, value }
}

/** `new` makes a token, which only this answer shows; an empty value takes it away. Throws `ERR_VALIDATION` for anything else. */
async function changeApiToken(parts: Parts, session: Session, value: string): Promise<{ key: string; value: string }> {
  if (value !== 'new' && value !== '') check('userApiToken', value)
  const { token, stored } = value === 'new' ? newApiToken() : { token: '', stored: '' }
  await change(parts, async tx => {
    await store(tx, 'userApiToken', stored, maskedToken(stored))
    const action = value === 'new' ? 'setting.createToken' : 'setting.removeToken'
    await writeLog(tx, { action, userId: session.viewer.id })
  })
  forgetSettings(parts.db)
  return { key: 'userApiToken', value: token }
}

async function store(tx: Tx, key: SettingKey, value: string, shown = value): Promise<void> {
  const set = { value, updatedAt: sql`now()` }
  await tx.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set })
  const audience: Audience = isPublicSetting(key) ? { to: 'everyone' } : { to: 'admins' }
  const setting = { key, value: shown }
  await appendEvent(tx, audience, { event: 'settings', action: 'update', version: Date.now(), setting })
}

function check(key: SettingKey, value: string): void {
  const fault = settingFault(key, value)
  if (fault) throw invalid([{ path: 'value', ...fault }], SETTING_PROBLEMS)
}
