// Changing a field or two of somebody of the team, outside of the form.
import type { User } from '@balcao/contract'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { type ActionWithParams, writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'

/** In the caller's transaction. Throws `ERR_NO_USER_FOUND`, also for the owner, who is hidden from everybody else (decisions §1). */
export async function changeUser(
  tx: Tx,
  config: Config,
  { viewer }: Session,
  id: number,
  set: Partial<typeof users.$inferInsert>,
  deed: ActionWithParams,
): Promise<User> {
  const known = and(eq(users.id, id), isNull(users.deletedAt), viewer.id === 1 ? undefined : ne(users.id, 1))
  const news = { ...set, updatedAt: sql`now()`, version: sql`${users.version} + 1` }
  const changed = await tx.update(users).set(news).where(known).returning({ id: users.id })
  const [user] = await publishUserEvents(tx, config, toIds(changed), 'update')
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  await writeLog(tx, { ...deed, userId: viewer.id, entityId: id })
  return user
}

/**
 * Passwords are hashed before a transaction, and many of them take a while: whoever lost the profile meanwhile changes nobody. Throws
 * `ERR_NO_PERMISSION`.
 */
export async function checkStillAdmin(tx: Tx, { viewer }: Session): Promise<void> {
  if (!(await isAdmin(tx, viewer.id))) throw new AppError('ERR_NO_PERMISSION')
}

/** Whether somebody is an active administrator, until the transaction ends. */
export async function isAdmin(tx: Tx, userId: number): Promise<boolean> {
  const [row] = await getSql(tx)`
    select 1 from "user" where id = ${userId} and profile = 'admin' and active and deleted_at is null for share`
  return row !== undefined
}
