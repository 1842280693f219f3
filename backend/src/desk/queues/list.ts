// Queues with their people and how many tickets they have, by their own order.
import type { Queue } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

/** All queues: customOrder first, then by name. */
export function listQueues(db: Db | Tx): Promise<Queue[]> {
  return readQueues(db, null)
}

/** Queues by id, in the order of the ids given. */
export async function loadQueues(db: Db | Tx, ids: readonly number[]): Promise<Queue[]> {
  return sortByIds(ids, await readQueues(db, [...ids]))
}

/** `open` comes from the tally, never from counting tickets. Null: all of them; what is counted is counted once for all. */
async function readQueues(db: Db | Tx, ids: number[] | null): Promise<Queue[]> {
  const sql = getSql(db)
  const isListed = (id: SqlFragment) => sql`(${ids}::int[] is null or ${id} = any(${ids}::int[]))`
  const rows = await sql<Omit<Queue, 'userIds'>[]>`
    select q.id, q.name, q.color, q.custom_order as "customOrder", q.greeting_message as "greetingMessage",
      q.first_answer_minutes as "firstAnswerMinutes", q.answer_minutes as "answerMinutes",
      q.version::int as version, coalesce(t.people, '[]'::json) as "queuesUser", coalesce(x.n, 0) as users, coalesce(y.n, 0) as open
    from queue q left join (
      select queue_id, json_agg(json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) order by u.name, u.id) as people
      from queue_turn join user_queue using (queue_id, user_id) join "user" u on u.id = user_id
      where u.deleted_at is null and ${isListed(sql`queue_id`)} group by queue_id
    ) t on t.queue_id = q.id left join (
      select queue_id, count(*)::int as n from user_queue join "user" u on u.id = user_id
      where u.active and u.deleted_at is null and ${isListed(sql`queue_id`)} group by queue_id
    ) x on x.queue_id = q.id left join (
      select queue_id, sum(n)::int as n from ticket_tally where status = 'open' and ${isListed(sql`queue_id`)} group by queue_id
    ) y on y.queue_id = q.id
    where ${isListed(sql`q.id`)} order by q.custom_order, q.name collate "pt-BR-x-icu", q.id`
  return rows.map(row => ({ ...row, userIds: row.queuesUser.map(user => user.id) }))
}
