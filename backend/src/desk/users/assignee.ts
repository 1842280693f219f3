// Whom a ticket goes to that the desk gives to somebody by itself: the person, or who stands in while that one is inactive (decisions-2 §8).
import type { Settings } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { findSubstitutes, type Substitute } from './leave.ts'

type Sight = Pick<Settings, 'onlyAdminSeeEmptyQueue'>

/** A person, or the substitute for that queue; null where neither may have the ticket. */
export async function resolveAssignee(
  tx: Tx,
  id: number,
  queueId: number | null,
  settings: Sight,
): Promise<Substitute | null> {
  const [row] = await getSql(tx)<
    { active: boolean }[]
  >`select active from "user" where id = ${id} and deleted_at is null`
  const substitute = row?.active === false && queueId !== null && (await findSubstitutes(tx, id, false)).get(queueId)
  return lockAssignee(tx, substitute ? substitute.id : id, queueId, settings)
}

/** Who may have a ticket of this queue. Locked, so that nobody is given one behind the back of who deactivates them or takes the queue from them. */
export async function lockAssignee(
  tx: Tx,
  id: number,
  queueId: number | null,
  { onlyAdminSeeEmptyQueue }: Sight,
): Promise<Substitute | null> {
  // By itself: what the next statement sees is as new as the lock.
  await getSql(tx)`select 1 from "user" where id = ${id} for share`
  const [row] = await getSql(tx)<{ id: number; name: string }[]>`
    select u.id, u.name from "user" u where u.id = ${id} and u.active and u.deleted_at is null and (u.profile = 'admin'
      or (${queueId}::int is null and not ${onlyAdminSeeEmptyQueue}::boolean)
      or exists (select 1 from user_queue q where q.user_id = u.id and q.queue_id = ${queueId}))`
  return row ?? null
}
