// The tickets of a report one by one, the newest first, page by page; and what they add up to.
import type { TicketStatus } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { waitingTimeSql } from '../figures/read.ts'
import { openedTicketsSql, type ReportQuery } from './query.ts'

/** One row. Times are working time. */
export interface TicketLine {
  readonly id: number
  readonly protocolo: string | null
  readonly status: TicketStatus
  readonly contact: string
  readonly number: string | null
  readonly queueId: number | null
  readonly queue: string
  readonly color: string
  readonly userId: number | null
  readonly user: string
  readonly connection: string
  readonly opened: string
  /** For the first time. */
  readonly accepted: string | null
  readonly closed: string | null
  /** Until the first acceptance; null where it never waited, or still does. */
  readonly waitMs: number | null
  /** So far, of who still waits to be accepted. */
  readonly waitingMs: number | null
  /** Of all its resolvings together. */
  readonly serviceMs: number | null
  readonly services: number
  readonly stars: number
  readonly ratings: number
}

const PAGE = 500

/** All of them, in pages. What opens, moves or closes meanwhile changes rows, and never makes one come twice. */
export async function* readTicketPages(db: Db, which: ReportQuery): AsyncGenerator<readonly TicketLine[]> {
  for (let after: TicketLine | undefined; ; ) {
    const page: readonly TicketLine[] = await ticketPage(db, which, after)
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

async function ticketPage(db: Db, which: ReportQuery, after: TicketLine | undefined): Promise<readonly TicketLine[]> {
  const sql = getSql(db)
  return sql<TicketLine[]>`
    select t.id, (select p.protocolo from protocol p where p.ticket_id = t.id order by p.id desc limit 1) as protocolo, t.status,
      c.name as contact, c.number, t.queue_id as "queueId", coalesce(q.name, past.name, '') as queue,
      coalesce(q.color, past.color, '') as color, t.user_id as "userId", coalesce(u.name, '') as user, w.name as connection,
      t.created_at as opened,
      coalesce((select min(s.begun_at) from ticket_span s where s.ticket_id = t.id and s.status = 'open'), t.accepted_at) as accepted,
      case when t.status = 'closed' then t.closed_at end as closed, f."waitMs", f."serviceMs", coalesce(f.services, 0)::int as services,
      case when t.status = 'pending' then ${waitingTimeSql(sql)} end as "waitingMs",
      coalesce(r.stars, 0)::int as stars, coalesce(r.ratings, 0)::int as ratings
    from ticket t join contact c on c.id = t.contact_id join whatsapp w on w.id = t.whatsapp_id
      left join queue q on q.id = t.queue_id left join past_queue past on past.id = t.queue_id left join "user" u on u.id = t.user_id
      left join lateral (
        select sum(work) filter (where kind = 'wait')::float8 as "waitMs", sum(work) filter (where kind = 'service')::float8 as "serviceMs",
          count(work) filter (where kind = 'service') as services
        from ticket_figure where ticket_id = t.id) f on true
      left join lateral (select sum(rate) as stars, count(*) as ratings from rating where ticket_id = t.id) r on true
    where ${openedTicketsSql(sql, which)}
      ${after ? sql`and (t.created_at, t.id) < (${after.opened}::timestamptz, ${after.id}::int)` : sql``}
    order by t.created_at desc, t.id desc limit ${PAGE}`
}
