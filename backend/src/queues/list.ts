// Queues with their people and how many tickets they have, by their own order.
import type { Queue } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { inOrderOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'

/** All queues: customOrder first, then by name. */
export function listQueues(db: Db | Tx): Promise<Queue[]> {
  return readQueues(db, null)
}

/** Queues by id, in the order of the ids given. */
export async function loadQueues(db: Db | Tx, ids: readonly number[]): Promise<Queue[]> {
  return inOrderOf(ids, await readQueues(db, [...ids]))
}

/** `open` comes from the tally, never from counting tickets. Null: all of them. */
async function readQueues(db: Db | Tx, ids: number[] | null): Promise<Queue[]> {
  const rows = await sqlOf(db)<Omit<Queue, 'userIds'>[]>`
    select q.id, q.name, q.color, q.custom_order as "customOrder", q.greeting_message as "greetingMessage",
      q.version::int as version,
      coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) order by u.name, u.id)
        from queue_turn t join user_queue using (queue_id, user_id) join "user" u on u.id = user_id
        where queue_id = q.id and u.deleted_at is null), '[]'::json) as "queuesUser",
      (select count(*)::int from user_queue x join "user" u on u.id = x.user_id
        where x.queue_id = q.id and u.active and u.deleted_at is null) as users,
      coalesce((select sum(y.n)::int from ticket_tally y where y.queue_id = q.id and y.status = 'open'), 0) as open
    from queue q where ${ids}::int[] is null or q.id = any(${ids}::int[]) order by q.custom_order, q.name collate "pt-BR-x-icu", q.id`
  return rows.map(row => ({ ...row, userIds: row.queuesUser.map(user => user.id) }))
}
