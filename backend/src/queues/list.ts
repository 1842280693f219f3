// Queues with how many people and tickets they have, by their own order.
import type { Queue } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

/** All queues: customOrder first, then by name. `open` comes from the tally, never from counting tickets. */
export async function listQueues(db: Db | Tx): Promise<Queue[]> {
  const rows = await sqlOf(db)<Queue[]>`
    select q.id, q.name, q.color, q.custom_order as "customOrder", q.greeting_message as "greetingMessage",
      (select count(*)::int from user_queue x join "user" u on u.id = x.user_id
        where x.queue_id = q.id and u.active and u.deleted_at is null) as users,
      coalesce((select sum(y.n)::int from ticket_tally y where y.queue_id = q.id and y.status = 'open'), 0) as open
    from queue q order by q.custom_order, q.name, q.id`
  return rows.map(row => ({ ...row }))
}
