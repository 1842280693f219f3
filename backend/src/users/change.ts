// Changing somebody of the team: what it is, who may, and who hears of it.
import type { PlainLogAction, User } from '@balcao/contract'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { Tx } from '../database/client.ts'
import { idsOf } from '../database/ids.ts'
import { AppError } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { signOutEverywhere } from '../sessions/sign-out.ts'
import { userEvents } from './present.ts'
import { users } from './table.ts'

/** In the caller's transaction. Throws `ERR_NO_USER_FOUND`, also for the owner, who is hidden from everybody else (decisions §1). */
export async function changeUser(
  tx: Tx,
  config: Config,
  { viewer }: Session,
  id: number,
  { action, ...set }: Partial<typeof users.$inferInsert> & { readonly action: PlainLogAction },
): Promise<User> {
  const known = and(eq(users.id, id), isNull(users.deletedAt), viewer.id === 1 ? undefined : ne(users.id, 1))
  const news = { ...set, updatedAt: sql`now()`, version: sql`${users.version} + 1` }
  const changed = await tx.update(users).set(news).where(known).returning({ id: users.id })
  const [user] = await userEvents(tx, config, idsOf(changed), 'update')
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  await writeLog(tx, { action, userId: viewer.id, entityId: id })
  return user
}

/** Lets somebody in or out, who then loses every session at once: only administrators, and never themselves. Throws `ERR_NO_PERMISSION`. */
export async function setActive(parts: Parts, session: Session, id: number, active: boolean): Promise<User> {
  const { viewer } = session
  if (viewer.profile !== 'admin' || viewer.id === id) throw new AppError('ERR_NO_PERMISSION')
  return change(parts, async tx => {
    const action = active ? 'user.activate' : 'user.deactivate'
    const user = await changeUser(tx, parts.config, session, id, { active, action })
    if (!active) await signOutEverywhere(tx, id)
    return user
  })
}
