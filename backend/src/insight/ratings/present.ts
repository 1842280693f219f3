// Ratings in the form of the contract.
import type { RatingEntry } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'

/** Ratings by id, in the order of the ids given. Who is deleted and queues that are gone keep their names. */
export async function loadRatings(db: Db, ids: readonly number[]): Promise<RatingEntry[]> {
  const rows = await getSql(db)<RatingEntry[]>`
    select r.id::float8 as id, r.rate, r.at as "createdAt", r.ticket_id as "ticketId",
      json_build_object('id', c.id, 'name', c.name, 'number', c.number, 'profilePicUrl', c.profile_pic_url) as contact,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) end as user,
      case when r.queue_id is not null then json_build_object('id', r.queue_id, 'name', coalesce(q.name, p.name, ''),
        'color', coalesce(q.color, p.color, '')) end as queue,
      json_build_object('id', w.id, 'name', w.name) as whatsapp
    from rating r join contact c on c.id = r.contact_id join whatsapp w on w.id = r.whatsapp_id left join "user" u on u.id = r.user_id
      left join queue q on q.id = r.queue_id left join past_queue p on p.id = r.queue_id
    where r.id = any(${[...ids]}::bigint[])`
  return sortByIds(ids, rows)
}
