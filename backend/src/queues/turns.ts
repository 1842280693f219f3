// Turns: who of a queue gets what is given out. Round robin by id, kept in the queue's row, so it goes on across processes and restarts.
import type { Settings } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { mayWork, type WorkingTime } from '../sessions/working-time.ts'

/**
 * Whose turn it is: the next after the last one who is active, online and within hours; null where nobody is, or while somebody else has
 * the queue's row. Turns are taken by those the queue names (`queue_turn`), or by everybody of it where it names nobody (decisions-2 §22).
 */
export async function nextInTurn(tx: Tx, queueId: number, settings: Settings, now: Date): Promise<number | null> {
  const sql = sqlOf(tx)
  const [queue] = await sql<{ last: number }[]>`
    select coalesce(last_turn, 0) as last from queue where id = ${queueId} for no key update skip locked`
  if (!queue) return null
  const people = await sql<(WorkingTime & { readonly id: number })[]>`
    select u.id, u.profile, u.start_time as "startTime", u.end_time as "endTime", u.weekdays, u.saturday, u.sunday,
      u.holidays
    from user_queue q join "user" u on u.id = q.user_id
      left join queue_turn n on n.queue_id = q.queue_id and n.user_id = q.user_id
    where q.queue_id = ${queueId} and u.active and u.deleted_at is null and u.status = 'online'
      and (n.user_id is not null or not exists (
        select 1 from queue_turn a join user_queue b on b.queue_id = a.queue_id and b.user_id = a.user_id where a.queue_id = ${queueId}))
    order by u.id <= ${queue.last}, u.id`
  return people.find(person => mayWork(person, settings, now))?.id ?? null
}

/** It was this one's turn. */
export async function turnTaken(tx: Tx, queueId: number, userId: number): Promise<void> {
  await sqlOf(tx)`update queue set last_turn = ${userId} where id = ${queueId}`
}
