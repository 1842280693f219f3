// Deleting somebody of the team (decisions §3). The row stays, as what it did names it; e-mail, password and picture do not.
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { runInPieces } from '../../platform/database/pieces.ts'
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
import { findSubstitutes, lockAssignedTickets, lockUsers, type ReassignedCounts, reassignTickets } from './leave.ts'
import { releasePicture } from './picture.ts'

/** More than these are sent on their ways before, so many at once. */
const TICKETS = 20

/**
 * Many tickets go in short transactions before the person does: live events of everybody wait for the oldest one that writes. Who is
 * killed meanwhile leaves a person with fewer tickets. Throws `ERR_NO_USER_FOUND`, `ERR_NO_PERMISSION` for oneself and for the owner.
 */
export async function deleteUser(parts: Parts, session: Session, id: number): Promise<void> {
  const { viewer } = session
  if (id === viewer.id) throw new AppError('ERR_NO_PERMISSION')
  if (id === 1) throw new AppError('ERR_NO_USER_FOUND')
  let sent: ReassignedCounts = { toWait: 0, toSubstitutes: 0 }
  const reassignPiece = async (size: number) => {
    const before = sent
    sent = await change(parts, async tx => addCounts(before, await (await lockTickets(tx, session, id, size))()))
    return sent.toWait + sent.toSubstitutes - before.toWait - before.toSubstitutes < size
  }
  const [live] = await getSql(parts.db)<{ isMany: boolean }[]>`
    select count(*) > ${TICKETS} as "isMany" from ticket where user_id = ${id} and status in ('pending', 'open', 'paused')`
  if (live?.isMany) await runInPieces(undefined, reassignPiece, TICKETS)
  await change(parts, async tx => {
    const sendTickets = await lockTickets(tx, session, id, null)
    await endFollowing(tx, id)
    const person = await findViewer(tx, id)
    const version = await forget(tx, id)
    await clearPersonSettings(tx, session, id)
    const params = addCounts(sent, await sendTickets())
    await publishStaffedQueues(tx, person && { active: true, queueIds: person.queueIds }, null)
    await writeLog(tx, { action: 'user.delete', params, userId: viewer.id, entityId: id })
    await appendEvent(tx, { to: 'everyone' }, { event: 'user', action: 'delete', version, userId: id })
  })
  clearSettingsCache(parts.db)
  parts.closeEndedSockets()
}

/** Locks the person, the substitutes and then the person's tickets; the answer sends these on their ways. */
async function lockTickets(tx: Tx, session: Session, id: number, most: number | null) {
  await lockUsers(tx, [id, ...(await substituteIds(tx, id))])
  const places = await lockAssignedTickets(tx, id, most)
  const substitutes = await findSubstitutes(tx, id, false)
  return () => reassignTickets(tx, session, places, ({ queueId }) => substitutes.get(queueId ?? 0) ?? 'waits')
}

function addCounts(one: ReassignedCounts, other: ReassignedCounts): ReassignedCounts {
  return { toWait: one.toWait + other.toWait, toSubstitutes: one.toSubstitutes + other.toSubstitutes }
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
