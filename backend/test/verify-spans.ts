// The rule of the periods: without gap or overlap, one open exactly while the ticket lives, and what the ticket's row says.
import { expect } from 'bun:test'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'

/** Fails with the tickets whose periods break the rule; `what` names what was done before. */
export async function verifySpans(db: Db, label: string): Promise<void> {
  const broken = await getSql(db)`
    with span as (
      select s.*, lag(ended_at) over of_ticket as end_before, lag(status) over of_ticket as status_before,
        lag(array[status, queue_id::text, user_id::text]) over of_ticket as before,
        lead(id) over of_ticket is null as is_last, row_number() over of_ticket as n
      from ticket_span s window of_ticket as (partition by ticket_id order by id))
    select ticket_id, 'not one after the other' as fault from span
      where n > 1 and (end_before is null or begun_at < end_before or (begun_at > end_before and status_before <> 'closed'))
    union all select ticket_id, 'nothing changed between two' from span where before = array[status, queue_id::text, user_id::text]
    union all select ticket_id, 'ends before it begins' from span where ended_at < begun_at
    union all select ticket_id, 'a closing that takes time' from span where status = 'closed' and ended_at is distinct from begun_at
    union all select t.id, 'not what the ticket says' from ticket t
      left join lateral (select * from ticket_span s where s.ticket_id = t.id order by s.id desc limit 1) l on true
      where t.status <> 'closed'
          and (l.ended_at is not null or (t.status, t.queue_id, t.user_id) is distinct from (l.status, l.queue_id, l.user_id))
        or t.status = 'closed' and l.status <> 'closed'`
  expect({ what: label, broken: [...broken] }).toEqual({ what: label, broken: [] })
}
