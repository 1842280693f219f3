// Turns: who of a queue gets what is given out. Round robin by id, kept in the queue's row, so it goes on across processes and restarts.
import type { Settings } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { canWork, type WorkingTime } from '../../policy/calendar/working-time.ts'

/**
 * Whose turn it is: the next after the last one who is active, online and within hours; null where nobody is, or while somebody else has
 * the queue's row. Turns are taken by those the queue names (`queue_turn`, decisions-2 §22), while one is inactive by the substitute for the
 * queue, and by everybody of it where that leaves nobody: a queue does not stop because somebody went away.
 */
export async function pickNextAgent(tx: Tx, queueId: number, settings: Settings, now: Date): Promise<number | null> {
  const sql = getSql(tx)
  const [queue] = await sql<{ last: number }[]>`
    select coalesce(last_turn, 0) as last from queue where id = ${queueId} for no key update skip locked`
  if (!queue) return null
  const people = await sql<(WorkingTime & { readonly id: number })[]>`
    with own as (
      select u.id, u.active from user_queue q join "user" u on u.id = q.user_id and u.deleted_at is null where q.queue_id = ${queueId}),
    named as (
      select o.id, o.active from own o join queue_turn n on n.user_id = o.id and n.queue_id = ${queueId}),
    taker as (
      select id from named where active
      union select u.id from named n
        join user_substitute s on s.user_id = n.id and s.queue_id = ${queueId}
        join "user" u on u.id = s.substitute_id and u.active and u.deleted_at is null
      where not n.active and (u.profile = 'admin' or u.id in (select id from own)))
    select u.id, u.profile, u.start_time as "startTime", u.end_time as "endTime", u.weekdays, u.saturday, u.sunday,
      u.holidays
    from "user" u
    where u.active and u.status = 'online'
      and u.id in (select id from taker union all select id from own where not exists (select 1 from taker))
    order by u.id <= ${queue.last}, u.id`
  return people.find(person => canWork(person, settings, now))?.id ?? null
}

/** It was this one's turn. */
export async function recordTurn(tx: Tx, queueId: number, userId: number): Promise<void> {
  await getSql(tx)`update queue set last_turn = ${userId} where id = ${queueId}`
}
