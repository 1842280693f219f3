// Deleting somebody of the team (decisions §3). The row stays, as what it did names it; e-mail, password and picture do not.
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { signOutEverywhere } from '../../policy/sessions/sign-out.ts'
import { clearPersonSettings } from '../../policy/settings/change.ts'
import { clearSettingsCache } from '../../policy/settings/read.ts'
import { users } from '../../policy/users/table.ts'
import { findViewer } from '../../policy/users/viewer.ts'
import { touchContactsLater } from '../contact-sheets/touch.ts'
import { publishStaffedQueues } from '../queues/publish.ts'
import { deleteOwnQuickAnswers } from '../quick-answers/save.ts'
import { endFollowing } from '../tickets/followers.ts'
import { findSubstitutes, lockAssignedTickets, lockUsers, reassignTickets } from './leave.ts'
import { releasePicture } from './picture.ts'

/** Throws `ERR_NO_USER_FOUND`, `ERR_NO_PERMISSION` for oneself and for the owner. */
export async function deleteUser(parts: Parts, session: Session, id: number): Promise<void> {
  const { viewer } = session
  if (id === viewer.id) throw new AppError('ERR_NO_PERMISSION')
  if (id === 1) throw new AppError('ERR_NO_USER_FOUND')
  await change(parts, async tx => {
    await lockUsers(tx, [id, ...(await substituteIds(tx, id))])
    const places = await lockAssignedTickets(tx, id)
    const substitutes = await findSubstitutes(tx, id, false)
    await endFollowing(tx, id)
    const person = await findViewer(tx, id)
    const version = await forget(tx, id)
    await clearPersonSettings(tx, session, id)
    const params = await reassignTickets(tx, session, places, ({ queueId }) => substitutes.get(queueId ?? 0) ?? 'waits')
    await publishStaffedQueues(tx, person && { active: true, queueIds: person.queueIds }, null)
    await writeLog(tx, { action: 'user.delete', params, userId: viewer.id, entityId: id })
    await appendEvent(tx, { to: 'everyone' }, { event: 'user', action: 'delete', version, userId: id })
  })
  clearSettingsCache(parts.db)
  parts.closeEndedSockets()
}

async function substituteIds(tx: Tx, id: number): Promise<number[]> {
  const rows = await getSql(tx)<{ id: number }[]>`select substitute_id as id from user_substitute where user_id = ${id}`
  return rows.map(row => row.id)
}

/** Gives the version of what is left. */
async function forget(tx: Tx, id: number): Promise<number> {
  const nobody = `deleted:${id}`
  const [person] = await tx.select({ picture: users.profilePicUrl }).from(users).where(eq(users.id, id))
  const [gone] = await tx
    .update(users)
    .set({
      ...{
        emailSealed: '',
        emailHash: nobody,
        passwordHash: '',
        active: false,
        awaitingApproval: false,
        status: 'offline',
        profilePicUrl: null,
      },
      deletedAt: sql`now()`,
      updatedAt: sql`now()`,
      version: sql`${users.version} + 1`,
    })
    .where(sql`${eq(users.id, id)} and ${users.deletedAt} is null`)
    .returning({ version: users.version })
  if (!gone) throw new AppError('ERR_NO_USER_FOUND')
  await releasePicture(tx, person?.picture ?? null)
  await signOutEverywhere(tx, id)
  await getSql(tx)`delete from queue_turn where user_id = ${id}`
  await getSql(tx)`delete from user_queue where user_id = ${id}`
  await getSql(tx)`delete from user_substitute where user_id = ${id} or substitute_id = ${id}`
  const redirected = await getSql(tx)<{ id: number }[]>`
    delete from contact_redirect where user_id = ${id} returning contact_id as id`
  await touchContactsLater(tx, toIds(redirected), `user:${id}`)
  await getSql(tx)`delete from quick_answer_use where user_id = ${id}`
  await deleteOwnQuickAnswers(tx, id)
  await getSql(tx)`delete from push_subscription where user_id = ${id}`
  return gone.version
}
