// A page of tickets in one statement: which ones, by index ranges, and what is shown of them.
import { type AnswerOf, LIMITS, type QueryOf, type Ticket } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { idsOf } from '../../platform/database/ids.ts'
import { plannedAs, RANGES_ONLY, sqlOf } from '../../platform/database/raw.ts'
import { wrongField } from '../../platform/http/errors.ts'
import { type PageBounds, pageBounds, pageOf } from '../../platform/http/paging.ts'
import { type Fragment, visibleTickets } from '../../policy/access/visible-tickets.ts'
import { boundOf } from '../../policy/calendar/days.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type Branch, branchesOf, kindsOf, type ListChoice, showsAll } from './list-branches.ts'
import { loadTickets, type TicketRow, ticketsSql, viewOf } from './present.ts'

type Query = QueryOf<'GET /tickets'>
type Page = AnswerOf<'GET /tickets'>

const MOST_BOT_TICKETS = 1000

export interface Bounds {
  /** Newest activity first, or who has been waiting longest (of those in `pending`). */
  readonly order?: 'wait'
  /** The ticket a page begins right after, in the order of the list. */
  readonly after: PageBounds['after']
  readonly from: string | null
  readonly until: string | null
  readonly onlyUnread: boolean
}

/** A page of tickets the viewer may see, newest activity first (spec 1 §7 `GET /tickets`). */
export async function listTickets(db: Db, session: Session, query: Query): Promise<Page> {
  const { after, skip, limit } = pageBounds(query, query.limit ?? LIMITS.ticketsPage, LIMITS.ticketsPage)
  const choice = choiceOf(query)
  const bounds = { ...boundsOf(query, session.settings.timezone), after }
  const attendants = await attendantsFor(db, session)
  const branches = branchesOf(session.viewer, session.settings, choice, attendants)
  const [rows, exact] = await Promise.all([
    planned<TicketRow>(db, branches, (sql, all) => {
      const page = pageSql(sql, all, bounds, limit + 1, skip)
      return ticketsSql(sql, sql`array(select id from (${page}) page)`)
    }),
    countOf(db, session, choice, bounds),
  ])
  const { ids, ...page } = pageOf(rows, limit, row => (bounds.order === 'wait' ? row.createdAt : row.lastMessageAt))
  const tickets = rows.slice(0, limit).map(row => viewOf(row).ticket)
  return { tickets, count: exact ?? skip + ids.length, ...page }
}

/** Tickets in the order of the lists, and where what comes behind them begins. */
export interface Stretch {
  readonly ids: readonly number[]
  readonly end: PageBounds['after']
}

/** The newest tickets of a choice that the viewer may see, in the order of the lists; `after` the end of an earlier stretch. */
export async function newestTickets(
  db: Db,
  session: Session,
  choice: ListChoice,
  limit: number,
  after: PageBounds['after'] = null,
): Promise<Stretch> {
  const branches = branchesOf(session.viewer, session.settings, choice, await attendantsFor(db, session))
  const bounds = { after, from: null, until: null, onlyUnread: false }
  // In one row: thousands of rows take longer to come than to be found.
  const [row] = await planned<{ ids: string | null; at: string | null }>(
    db,
    branches,
    (sql, all) => sql`
      select string_agg(id::text, ' ') as ids, (array_agg(at))[count(*)] as at from (${pageSql(sql, all, bounds, limit)}) page`,
  )
  const ids = row?.ids ? row.ids.split(' ').map(Number) : []
  const id = ids.at(-1)
  return { ids, end: row?.at && id ? { text: row.at, id } : after }
}

/** Every ticket with the bot that the viewer may see (spec 1 §7 `GET /ticket2`). */
export async function listBotTickets(db: Db, session: Session): Promise<Ticket[]> {
  const { ids } = await newestTickets(db, session, choiceOf({ status: 'bot', showAll: 'true' }), MOST_BOT_TICKETS)
  const views = await loadTickets(db, ids)
  return ids.flatMap(id => views.get(id)?.ticket ?? [])
}

/** What a person chose above a list. */
function choiceOf(query: Pick<Query, 'status' | 'isGroup' | 'showAll' | 'queueIds'>): ListChoice {
  return {
    kinds: kindsOf(query.status, query.isGroup === undefined ? undefined : query.isGroup === 'true'),
    showAll: query.showAll === 'true',
    queueIds: queueIdsOf(query.queueIds),
  }
}

/** Ids as the specification sends them: a JSON array in a text. */
export function queueIdsOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const ids = text.match(/\d{1,9}/g) ?? []
  return [...new Set(ids.map(Number))]
}

/** Whose tickets a hierarchy shows: asked once a page, so that no branch has to look at people row by row. */
async function attendantsFor(db: Db, { viewer, settings }: Session): Promise<number[]> {
  if (!settings.hierarchy || viewer.profile === 'admin') return []
  const rows = await sqlOf(db)<{ id: number }[]>`
    select id from "user" where profile = 'user' and id <> ${viewer.id}`
  return idsOf(rows)
}

/** Rows of a statement over the branches; without any there are none. */
async function planned<Row extends object>(
  db: Db,
  branches: readonly Branch[],
  query: (sql: postgres.Sql, branches: readonly Branch[]) => Fragment,
): Promise<readonly Row[]> {
  return branches.length === 0 ? [] : plannedAs<Row>(db, RANGES_ONLY, sql => query(sql, branches))
}

/**
 * Which tickets, in the order of the list. Branches are data, not text: those that look in the same index are rows of one part, so
 * there are a few dozen statements in all, whatever is asked. A branch can only be on the page if its newest ticket is.
 */
function pageSql(sql: postgres.Sql, branches: readonly Branch[], bounds: Bounds, limit: number, skip = 0): Fragment {
  const shapes = Map.groupBy(branches, shapeOf)
  const [first = sql`select`, ...rest] = [...shapes.keys()]
    .sort()
    .map(shape => partSql(sql, shapes.get(shape) ?? [], bounds, skip + limit, branches.length > skip + limit))
  const union = rest.reduce((all, each) => sql`${all} union all ${each}`, first)
  const order = bounds.order === 'wait' ? sql`at, id` : sql`at desc nulls last, id desc nulls last`
  return sql`select id, at from (${union}) page order by ${order} limit ${limit} offset ${skip}`
}

/** Branches of one shape are ranges of one index. */
function shapeOf({ queueId, owner }: Branch): string {
  return `${queueId === undefined ? 'any' : queueId === null ? 'without' : 'queue'} ${typeof owner === 'number' ? 'person' : owner}`
}

/** `nulls last` is written out because the indexes are made so; otherwise Postgres would sort. */
function partSql(
  sql: postgres.Sql,
  branches: readonly Branch[],
  bounds: Bounds,
  most: number,
  isCrowded: boolean,
): Fragment {
  const [shape] = branches
  const longest = bounds.order === 'wait'
  const at = longest ? sql`t.created_at` : sql`t.last_message_at`
  const order = longest ? sql`at, id` : sql`at desc nulls last, id desc nulls last`
  // Who waits stands in indexes of their own, which are found by these words.
  const waits = longest ? sql`and t.status = 'pending' and not t.is_group` : sql``
  const range = (limit: number) => sql`(
    select t.id, ${at} as at from ticket t
    where t.status = k.status and t.is_group = k.is_group ${waits} ${shape ? rangeSql(sql, shape) : sql``} ${boundsSql(sql, bounds)}
    order by ${order} limit ${limit})`
  const all = sql`unnest(${branches.map(branch => branch.status)}::text[], ${branches.map(branch => String(branch.isGroup))}::text[]::bool[],
    ${branches.map(branch => branch.queueId ?? null)}::int[],
    ${branches.map(({ owner }) => (typeof owner === 'number' ? owner : null))}::int[]) k(status, is_group, queue_id, user_id)`
  // Only where there are more branches than places is it worth asking which of them come into question.
  const some = isCrowded
    ? sql`(select k.* from ${all} cross join lateral ${range(1)} newest order by ${order} limit ${most}) k`
    : all
  return sql`select t.id, t.at from ${some} cross join lateral ${range(most)} t`
}

function rangeSql(sql: postgres.Sql, { queueId, owner }: Branch): Fragment {
  const queue =
    queueId === undefined ? sql`` : queueId === null ? sql`and t.queue_id is null` : sql`and t.queue_id = k.queue_id`
  const person =
    owner === 'anyone' ? sql`` : owner === 'nobody' ? sql`and t.user_id is null` : sql`and t.user_id = k.user_id`
  return sql`${queue} ${person}`
}

function boundsSql(sql: postgres.Sql, { order, after, from, until, onlyUnread }: Bounds): Fragment {
  const behind = order === 'wait' ? sql`(t.created_at, t.id) >` : sql`(t.last_message_at, t.id) <`
  return sql`
    ${after ? sql`and ${behind} (${after.text}::timestamptz, ${after.id}::int)` : sql``}
    ${from ? sql`and t.last_message_at >= ${from}::timestamptz` : sql``}
    ${until ? sql`and t.last_message_at < ${until}::timestamptz` : sql``}
    ${onlyUnread ? sql`and t.unread_messages > 0` : sql``}`
}

/** Of live lists, from the tally; null for the others and with dates: nobody counts those. */
async function countOf(db: Db, session: Session, choice: ListChoice, bounds: Bounds): Promise<number | null> {
  const live = choice.kinds.filter(kind => kind.status !== 'closed')
  if (live.length < choice.kinds.length || bounds.from !== null || bounds.until !== null) return null
  const sql = sqlOf(db)
  const kinds = live.map(({ status, isGroup }) => `${status}:${isGroup}`)
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(y.n), 0)::int as n from ticket_tally y
    where y.status || ':' || y.is_group::text = any(${kinds}::text[])
      and ${inChoice(sql, session, choice, 'y')}
      ${bounds.onlyUnread ? sql`and y.unread` : sql``}`
  return row?.n ?? 0
}

/** Visible, of the chosen queues, and one's own or nobody's for who left 'show all' off. */
export function inChoice(
  sql: postgres.Sql,
  { viewer, settings }: Session,
  choice: Pick<ListChoice, 'showAll' | 'queueIds'>,
  row: string,
): Fragment {
  const ticket = sql(row)
  return sql`${visibleTickets(sql, viewer, settings, row)}
    ${showsAll(viewer, settings, choice) ? sql`` : sql`and (${ticket}.user_id is null or ${ticket}.user_id = ${viewer.id})`}
    ${choice.queueIds ? sql`and ${ticket}.queue_id = any(${[...choice.queueIds]}::int[])` : sql``}`
}

function boundsOf(query: Query, timezone: string): Omit<Bounds, 'after'> {
  const { date } = query
  const from = date ?? query.firstDate
  const until = date ?? query.lastDate
  if (query.order === 'wait' && query.status !== 'pending') throw wrongField('order', 'only with status=pending')
  return {
    ...(query.order ? { order: query.order } : {}),
    from: from === undefined ? null : boundOf(date === undefined ? 'firstDate' : 'date', from, 0, timezone),
    until: until === undefined ? null : boundOf(date === undefined ? 'lastDate' : 'date', until, 1, timezone),
    onlyUnread: query.withUnreadMessages === 'true',
  }
}
