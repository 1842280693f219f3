// What stands in the two bells: tickets that wait and internal chats with something unread.
import type { ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import { listChats } from '../../desk/chats/list.ts'
import { listUnseenNews } from '../../desk/connections/news.ts'
import { listUnseenMentions } from '../../desk/messages/mentions.ts'
import { loadTickets } from '../../desk/tickets/present.ts'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { notifiedByRightSql } from '../../policy/access/notified-tickets.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'

const SHOWN = 30

/** The counts come from running tallies; the rows are the newest `limit` of each (spec 1 §4 "Notifications"). */
export async function listWaiting(
  db: Db,
  session: Session,
  limit = SHOWN,
): Promise<Omit<ResponseBody<'GET /notifications'>, 'alarms'>> {
  const isAdmin = session.viewer.profile === 'admin'
  const [tickets, chats, ids, unread, news, mentions] = await Promise.all([
    countTickets(db, session),
    countUnread(db, session),
    limit === 0 ? [] : newestWaiting(db, session, limit),
    limit === 0 ? null : listChats(db, session, { withUnreadMessages: 'true', limit }),
    isAdmin ? listUnseenNews(db, limit) : { count: 0, items: [] },
    listUnseenMentions(db, session, limit),
  ])
  const views = await loadTickets(db, ids)
  return {
    tickets: { count: tickets, items: ids.flatMap(id => views.get(id)?.ticket ?? []) },
    chats: { count: chats, items: unread?.chats ?? [] },
    mentions,
    news,
  }
}

async function countTickets(db: Db, session: Session): Promise<number> {
  const sql = getSql(getPageDatabase(db))
  const [row] = await sql<{ n: number }[]>`
    select (
      (select coalesce(sum(y.n), 0) from ticket_tally y where ${told(sql, session, 'y')} and (y.status = 'pending' or y.unread))
      + (select count(*) from ${followedSql(sql, session)}))::int as n`
  return row?.n ?? 0
}

async function countUnread(db: Db, { viewer }: Session): Promise<number> {
  const [row] = await getSql(db)<{ n: number }[]>`
    select coalesce(sum(unread), 0)::int as n from chat_member where user_id = ${viewer.id} and unread > 0`
  return row?.n ?? 0
}

/** Live tickets alone, a range of an index for each kind, newest first. */
async function newestWaiting(db: Db, session: Session, limit: number): Promise<number[]> {
  const sql = getSql(getPageDatabase(db))
  const rows = await sql<{ id: number }[]>`${waitingTicketsSql(sql, session, limit)}`
  return rows.map(row => row.id)
}

/** The statement behind the rows; for the test that reads its plan. */
export function waitingTicketsSql(sql: postgres.Sql, session: Session, limit: number) {
  const branches = (['pending', 'open', 'paused'] as const).flatMap(status =>
    [false, true].map(isGroup => {
      const rangeSql = (only: SqlFragment) => sql`(select t.id, t.last_message_at from ticket t
        where t.status = ${status} and t.is_group = ${isGroup} ${only}
          ${status === 'pending' ? sql`` : sql`and t.unread_messages > 0`} and ${told(sql, session, 't')}
        order by t.last_message_at desc nulls last, t.id desc nulls last limit ${limit})`
      return kindSql(sql, session, isGroup, rangeSql)
    }),
  )
  const union = branches.reduce((all, branch) => sql`${all} union all ${branch}`)
  return sql`
    select id from (${union} union all (select t.id, t.last_message_at from ${followedSql(sql, session)})) waiting order by last_message_at desc nulls last, id desc nulls last limit ${limit}`
}

/** The ranges of a kind of tickets in which somebody may be told of one: the own and nobody's, unless everybody's are. */
function kindSql(
  sql: postgres.Sql,
  { viewer, settings }: Session,
  isGroup: boolean,
  rangeSql: (only: SqlFragment) => SqlFragment,
): SqlFragment {
  if (isGroup ? settings.notifyGroupToAllUsers : settings.notificateAllTickets) return rangeSql(sql``)
  const own = rangeSql(sql`and t.user_id = ${viewer.id}`)
  if (isGroup) return own
  const withoutQueue = rangeSql(sql`and t.user_id is null and t.queue_id is null`)
  const queued = rangeSql(sql`and t.user_id is null and t.queue_id = k.queue_id`)
  return sql`${own} union all ${withoutQueue} union all
    select q.* from unnest(${[...viewer.queueIds]}::int[]) k(queue_id) cross join lateral ${queued} q`
}

/** What waits of the few tickets a person follows and is not told of anyway. */
function followedSql(sql: postgres.Sql, session: Session): SqlFragment {
  return sql`ticket_follower f join ticket t on t.id = f.ticket_id
    where f.user_id = ${session.viewer.id} and (t.status = 'pending' or t.unread_messages > 0) and not coalesce(${told(sql, session, 't')}, false)`
}

function told(sql: postgres.Sql, { viewer, settings }: Session, row: string) {
  return notifiedByRightSql(sql, viewer, settings, row)
}
