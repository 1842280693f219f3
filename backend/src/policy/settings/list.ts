// Settings as they are shown: to administrators with who changed each last, and when.
import { canReadSetting, type Setting, type SettingKey, toSettingTexts, type Viewer } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { isHidden } from '../access/hidden-owner.ts'
import type { Session } from '../sessions/authenticate.ts'
import { maskToken } from './api-token.ts'

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
  // By hand: what the builder sends is planned anew each time, and that takes longer than everything else about the settings.
  const rows = await getSql(db)<ChangeRow[]>`
    select s.key, s.version::float8 as version, s.updated_at as "changedAt", u.id, u.name
    from setting s left join "user" u on u.id = s.user_id`
  return new Map(
    rows.map(({ key, id, name, ...change }) => [
      key,
      { ...change, changedBy: id === null || name === null || isHidden(viewer, id) ? null : { id, name } },
    ]),
  )
}

interface ChangeRow {
  readonly key: string
  readonly version: number
  readonly changedAt: string
  readonly id: number | null
  readonly name: string | null
}
