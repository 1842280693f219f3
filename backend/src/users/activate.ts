// Letting people in and out: only administrators, never themselves, and nobody touches the owner (decisions §1).
import type { User } from '@balcao/contract'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { signOutEverywhere } from '../sessions/sign-out.ts'
import { loadUsers, userEvents } from './present.ts'

/** Who is let out loses every session at once. Throws `ERR_NO_PERMISSION`, `ERR_NO_USER_FOUND`. */
export async function setActive(parts: Parts, { viewer }: Session, id: number, active: boolean): Promise<User> {
  if (viewer.profile !== 'admin' || viewer.id === id) throw new AppError('ERR_NO_PERMISSION')
  await change(parts, async tx => {
    const sql = sqlOf(tx)
    const changed = await sql`update "user" set active = ${active}, updated_at = now(), version = version + 1
      where id = ${id} and id <> 1 and deleted_at is null returning 1`
    if (changed.length === 0) throw new AppError('ERR_NO_USER_FOUND')
    if (!active) await signOutEverywhere(tx, id)
    await writeLog(tx, { action: active ? 'user.activate' : 'user.deactivate', userId: viewer.id, entityId: id })
    await userEvents(tx, parts.config, [id], 'update')
  })
  const [user] = await loadUsers(parts.db, parts.config, [id])
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  return user
}
