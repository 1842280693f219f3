// Settings as they are shown: to administrators with who changed each last, and when.
import { canReadSetting, type Setting, type SettingKey, toSettingTexts, type Viewer } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { isHidden } from '../access/hidden-owner.ts'
import type { Session } from '../sessions/authenticate.ts'
import { users } from '../users/table.ts'
import { maskToken } from './api-token.ts'
import { settings } from './table.ts'

/** All settings; secrets, versions and people only for administrators. */
export async function listSettings(db: Db, { viewer, settings: now }: Session): Promise<Setting[]> {
  const texts = toSettingTexts(now).filter(([key]) => canReadSetting(viewer, key))
  if (viewer.profile !== 'admin') return texts.map(([key, value]) => ({ key, value }))
  const changes = await findLastChanges(db, viewer)
  return texts.map(([key, value]) => toSetting(key, value, changes.get(key)))
}

type Change = Required<Pick<Setting, 'version' | 'changedAt' | 'changedBy'>>

/** A setting in the form of the contract, for administrators. */
export function toSetting(key: SettingKey, value: string, change: Change | undefined): Setting {
  const shown = key === 'userApiToken' ? maskToken(value) : value
  return { key, value: shown, version: 0, changedAt: null, changedBy: null, ...change }
}

/** Who changed what last, by key; the owner's name only the owner knows (decisions §1). */
export async function findLastChanges(db: Db | Tx, viewer: Pick<Viewer, 'id'>): Promise<ReadonlyMap<string, Change>> {
  const { key, version, updatedAt } = settings
  const rows = await db
    .select({ key, version, changedAt: updatedAt, id: users.id, name: users.name })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.userId))
  return new Map(
    rows.map(({ key: of, id, name, ...change }) => [
      of,
      { ...change, changedBy: id === null || name === null || isHidden(viewer, id) ? null : { id, name } },
    ]),
  )
}
