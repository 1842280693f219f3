// Tokens of terminals, and the devices on which somebody is signed in (decisions-2 §23).
import type { Device } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../kit/parts.ts'
import { writeLog } from '../log/write.ts'
import type { Session } from './authenticate.ts'
import { revokeFamily, storeRefreshToken } from './families.ts'
import { createOpaqueToken } from './tokens.ts'

/** A token that stays as it is: a program is given it once and cannot keep a successor. It is a family of its own. Throws as `storeRefreshToken`. */
export async function createTerminal(
  { db }: Parts,
  session: Session,
  name: string,
): Promise<{ id: string; token: string }> {
  const id = crypto.randomUUID()
  const token = createOpaqueToken()
  const userId = session.viewer.id
  await storeRefreshToken(db, { userId, family: id, token, terminal: name.trim() || 'terminal' }, session)
  return { id, token }
}

/** Families with a token that is still good, as the sessions of requests need one. */
export async function listDevices(db: Db, { viewer, family }: Session): Promise<Device[]> {
  const rows = await getSql(db)<DeviceRow[]>`
    select family as id, max(terminal) as terminal, min(created_at) as since, max(coalesce(used_at, created_at)) as "lastAt"
    from refresh_token where user_id = ${viewer.id} group by family
    having bool_or(revoked_at is null and expires_at > now()) order by 4 desc limit 100`
  return rows.map(({ since, lastAt, ...row }) => ({
    ...row,
    since: since ?? '',
    lastAt: lastAt ?? '',
    current: row.id === family,
  }))
}

/** Throws `ERR_NOT_FOUND` where one has no such device, or it was ended before. */
export async function revokeDevice(parts: Parts, { viewer }: Session, id: string): Promise<void> {
  if (!FAMILY.test(id)) throw new AppError('ERR_NOT_FOUND')
  const userId = viewer.id
  await runInTransaction(parts.db, async tx => {
    if (!(await revokeFamily(tx, { userId, family: id }))) throw new AppError('ERR_NOT_FOUND')
    await writeLog(tx, { action: 'user.endDevice', userId, entityId: userId })
  })
  parts.closeEndedSockets()
}

const FAMILY = /^[\w-]{1,64}$/

interface DeviceRow {
  readonly id: string
  readonly terminal: string | null
  readonly since: string | null
  readonly lastAt: string | null
}
