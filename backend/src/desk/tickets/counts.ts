// The badge numbers, summed from the running tally: a few hundred small rows, however many tickets there are.
import type { QueryParams, ResponseBody, TicketCounts } from '@balcao/contract'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { countLate, listChoiceSql, parseQueueIds } from './list.ts'

/** The badges of the lists for one viewer (spec 1 §2 "sub-tabs, each with a count badge"). */
export async function countTickets(
  db: Db,
  session: Session,
  query: QueryParams<'GET /tickets/counts'>,
): Promise<TicketCounts> {
  const sql = getSql(getPageDatabase(db))
  const choice = { showAll: query.showAll === 'true', queueIds: parseQueueIds(query.queueIds) }
  const late = query.late === 'true' ? await countLate(db, session, query) : {}
  const [row] = await sql<TicketCounts[]>`
    select
      coalesce(sum(y.n) filter (where y.status = 'open' and not y.is_group), 0)::int as assigned,
      coalesce(sum(y.n) filter (where y.is_group and y.status <> 'paused'), 0)::int as groups,
      coalesce(sum(y.n) filter (where y.status = 'pending' and not y.is_group), 0)::int as pending,
      coalesce(sum(y.n) filter (where y.status = 'paused'), 0)::int as paused,
      coalesce(sum(y.n) filter (where y.status = 'paused' and y.unread), 0)::int as "pausedUnread",
      coalesce(sum(y.n) filter (where y.status = 'bot'), 0)::int as bot,
      coalesce(sum(y.n) filter (where y.unread and y.status in ('open', 'pending')
        and (y.user_id = ${session.viewer.id} or y.status = 'pending')), 0)::int as unread,
      (select count(*)::int from ticket_follower f where f.user_id = ${session.viewer.id}) as followed,
      (select count(*)::int from ticket_follower f join ticket t on t.id = f.ticket_id
        where f.user_id = ${session.viewer.id} and t.unread_messages > 0) as "followedUnread"
    from ticket_tally y
    where y.status <> 'closed' and ${listChoiceSql(sql, session, choice, 'y')}
      ${query.withUnreadMessages === 'true' ? sql`and y.unread` : sql``}`
  if (!row) throw new Error('The tally was not summed')
  return { ...row, ...late }
}

/** Open conversations by person, from the running tally; of the owner nobody else learns. */
export async function countServed(db: Db, { viewer }: Session): Promise<ResponseBody<'GET /tickets/load'>> {
  const rows = await getSql(getPageDatabase(db))<{ userId: number; tickets: number }[]>`
    select user_id as "userId", coalesce(sum(n), 0)::int as tickets from ticket_tally
    where status = 'open' and user_id is not null group by user_id having sum(n) > 0 order by user_id`
  return rows.filter(({ userId }) => !isHidden(viewer, userId))
}
