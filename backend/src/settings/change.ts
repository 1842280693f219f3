// Changing a setting: stored, logged, told to everybody; it takes effect with the next request (decisions §5).
import { EXCLUSIVE, isPublicSetting, SETTINGS, type SettingKey, settingProblem } from '@balcao/contract'
import { maskedToken, newApiToken } from '../api/token.ts'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { type Audience, appendEvents } from '../live/append.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { forgetSettings, isSettingKey } from './read.ts'

/** Throws `ERR_NO_SETTING_FOUND`, `ERR_VALIDATION`. Of two settings that exclude each other the other one is switched off. */
export async function changeSetting(
  parts: Parts,
  session: Session,
  key: string,
  value: string,
): Promise<{ key: string; value: string }> {
  if (!isSettingKey(key)) throw new AppError('ERR_NO_SETTING_FOUND')
  if (key === 'userApiToken') return changeApiToken(parts, session, value)
  const problem = settingProblem(key, value) ?? (key === 'timezone' ? timezoneProblem(value) : null)
  if (problem !== null) throw new AppError('ERR_VALIDATION', [{ path: 'value', message: problem }])
  await change(parts, async tx => {
    await store(tx, key, value)
    if (value === 'enabled') for (const other of excludedBy(key)) await store(tx, other, 'disabled')
    await writeLog(tx, {
      descricao: `Configuração alterada: ${key}`,
      origem: 'setting',
      userId: session.viewer.id,
      details: SETTINGS[key].kind === 'text' ? undefined : { value },
    })
  })
  forgetSettings(parts.db)
  return { key, value }
}

/** `new` makes a token, which only this answer shows; an empty value takes it away. Throws `ERR_VALIDATION` for anything else. */
async function changeApiToken(parts: Parts, session: Session, value: string): Promise<{ key: string; value: string }> {
  const problem = value === 'new' || value === '' ? null : settingProblem('userApiToken', value)
  if (problem !== null) throw new AppError('ERR_VALIDATION', [{ path: 'value', message: problem }])
  const { token, stored } = value === 'new' ? newApiToken() : { token: '', stored: '' }
  await change(parts, async tx => {
    await store(tx, 'userApiToken', stored, maskedToken(stored))
    const descricao = value === 'new' ? 'Token da API criado' : 'Token da API removido'
    await writeLog(tx, { descricao, origem: 'setting', userId: session.viewer.id })
  })
  forgetSettings(parts.db)
  return { key: 'userApiToken', value: token }
}

async function store(tx: Tx, key: SettingKey, value: string, shown = value): Promise<void> {
  await sqlOf(tx)`insert into setting (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value, updated_at = now()`
  const audience: Audience = isPublicSetting(key) ? { to: 'everyone' } : { to: 'admins' }
  await appendEvents(tx, [
    { event: { event: 'settings', action: 'update', version: Date.now(), setting: { key, value: shown } }, audience },
  ])
}

function excludedBy(key: SettingKey): SettingKey[] {
  return EXCLUSIVE.flatMap(([a, b]) => (a === key ? [b] : b === key ? [a] : []))
}

function timezoneProblem(value: string): string | null {
  try {
    new Intl.DateTimeFormat('pt-BR', { timeZone: value })
    return null
  } catch {
    return 'Fuso horário desconhecido'
  }
}
