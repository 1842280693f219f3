// The live counters: in service and waiting from the tally, closed in a period by its index.
import type { AnswerOf, QueryOf } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { boundOf } from '../http/days.ts'

type Stats = AnswerOf<'GET /dashboard/stats'>

/** Counters of the whole company, of one queue or person (spec 1 §2 "Dashboard"). Days are whole days in the company's time zone. */
export async function dashboardStats(
  db: Db,
  query: QueryOf<'GET /dashboard/stats'>,
  timezone: string,
  now: Date,
): Promise<Stats> {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(now)
  const from = boundOf('firstDate', query.firstDate?.slice(0, 10) ?? `${today.slice(0, 8)}01`, 0, timezone)
  const until = boundOf('lastDate', query.lastDate?.slice(0, 10) ?? today, 1, timezone)
  const sql = sqlOf(db)
  const chosen = sql`
    ${query.queueId === undefined ? sql`` : sql`and x.queue_id = ${query.queueId}`}
    ${query.userId === undefined ? sql`` : sql`and x.user_id = ${query.userId}`}`
  const [queues, [closed]] = await Promise.all([
    sql<Stats['queues']>`
      select x.queue_id as id, coalesce(q.name, '') as name, coalesce(q.color, '') as color,
        coalesce(sum(x.n) filter (where x.status = 'open'), 0)::int as open,
        coalesce(sum(x.n) filter (where x.status = 'pending'), 0)::int as pending
      from ticket_tally x left join queue q on q.id = x.queue_id
      where x.status in ('open', 'pending') ${chosen}
      group by x.queue_id, q.name, q.color, q.custom_order
      having sum(x.n) > 0 order by q.custom_order nulls last, q.name`,
    sql<{ n: number }[]>`
      select count(*)::int as n from ticket x
      where x.status = 'closed' and x.closed_at >= ${from}::timestamptz and x.closed_at < ${until}::timestamptz ${chosen}`,
  ])
  const sum = (of: 'open' | 'pending') => queues.reduce((total, queue) => total + queue[of], 0)
  return {
    open: sum('open'),
    pending: sum('pending'),
    closed: closed?.n ?? 0,
    queues: queues.map(queue => ({ ...queue })),
  }
}
