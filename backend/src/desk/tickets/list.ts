// A page of tickets in one statement: which ones, by index ranges, and what is shown of them.
import {
  LIMITS,
  type QueryParams,
  type RequestBody,
  type ResponseBody,
  type Ticket,
  type TicketCounts,
} from '@balcao/contract'
import type postgres from 'postgres'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { type PageBounds, parsePageBounds, toPage } from '../../platform/http/paging.ts'
import { type SqlFragment, servableTicketsSql } from '../../policy/access/visible-tickets.ts'
import { parseDateBound } from '../../policy/calendar/days.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadNames } from '../names/known-names.ts'
import { type Branch, buildBranches, type ListChoice, selectTicketKinds, shouldShowAll } from './list-branches.ts'
import { loadTickets, type TicketPageRow, ticketPageSql, toPageTicket } from './present.ts'

type Query = QueryParams<'GET /tickets'>
type Page = ResponseBody<'GET /tickets'>
/** What a person chose above the list of those who wait. */
export type WaitingChoice = RequestBody<'POST /tickets/next'>

const MOST_BOT_TICKETS = 1000
/** Nobody counts more of them. */
const MOST_LATE = 1000

export interface ListBounds {
  /** Newest activity first, who has been waiting longest (of those in `pending`), or whose answer is due first (of those to be answered). */
  readonly order?: 'wait' | 'due'
  /** The ticket a page begins right after, in the order of the list. */
  readonly after: PageBounds['after']
  readonly from: string | null
  readonly until: string | null
  readonly onlyUnread: boolean
  readonly onlyLate?: boolean
}

/** A page of tickets the viewer may see, newest activity first (spec 1 §7 `GET /tickets`). */
export async function listTickets(db: Db, session: Session, query: Query): Promise<Page> {
  const { after, skip, limit } = parsePageBounds(query, query.limit ?? LIMITS.ticketsPage, LIMITS.ticketsPage)
  const choice = parseChoice(query)
  const bounds = { ...parseBounds(query, session.settings.timezone), after }
  const attendants = await loadAttendants(db, session)
  const branches = buildBranches(session.viewer, session.settings, choice, attendants)
  const pages = getSql(getPageDatabase(db))
  const counted = countListedSql(pages, session, choice, bounds)
  const rows = await planned<TicketPageRow>(db, branches, (sql, all) => {
    const page = pageSql(sql, all, bounds, limit + 1, skip)
    return ticketPageSql(sql, sql`array(select id from (${page}) page)`, counted)
  })
  const exact = rows[0] ? rows[0].count : (await pages<{ n: number | null }[]>`${counted}`)[0]?.n
  const { ids, ...page } = toPage(rows, limit, row => placeText(row, bounds))
  if (!rows[0]) return { tickets: [], count: exact ?? skip, ...page }
  const names = await loadNames(db, rows[0].nameRevision)
  const tickets = rows.slice(0, limit).flatMap(row => toPageTicket(row, names))
  return { tickets, count: exact ?? skip + ids.length, ...page }
}

/** Where a row stands in the order of the list. */
function placeText(row: TicketPageRow, { order }: ListBounds): string {
  if (order === 'due') return row.answerDueAt ?? 'infinity'
  return order === 'wait' ? (row.answerSince ?? row.createdAt) : row.lastMessageAt
}

/** Tickets in the order of the lists, and where what comes behind them begins. */
export interface TicketSlice {
  readonly ids: readonly number[]
  readonly end: PageBounds['after']
}

/** The newest tickets of a choice that the viewer may see, in the order of the lists; `after` the end of an earlier stretch. */
export async function findNewestTickets(
  db: Db,
  session: Session,
  choice: ListChoice,
  limit: number,
  after: PageBounds['after'] = null,
): Promise<TicketSlice> {
  const branches = buildBranches(session.viewer, session.settings, choice, await loadAttendants(db, session))
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

/** Who waits, in the order of that list, of what the viewer may see, and the pinned ones first as they stand there; groups are not accepted. */
export async function findWaitingTickets(
  db: Db,
  session: Session,
  { queueIds, order = 'wait', late: onlyLate = false, withUnreadMessages: onlyUnread = false }: WaitingChoice,
  limit: number,
): Promise<number[]> {
  const choice = { kinds: selectTicketKinds('pending', false), showAll: false, queueIds }
  const branches = buildBranches(session.viewer, session.settings, choice, await loadAttendants(db, session))
  const bounds = {
    order: onlyLate ? 'due' : order,
    after: null,
    from: null,
    until: null,
    onlyUnread,
    onlyLate,
  } as const
  // Without the instants: one that is due at no time is `infinity`, which no date is.
  const rows = await planned<{ id: number }>(
    db,
    branches,
    (sql, all) => sql`select id from (${pageSql(sql, all, bounds, limit)}) page`,
  )
  const pinnedIds = await listWaitingPins(db, session, choice, bounds)
  return [...pinnedIds, ...toIds(rows).filter(id => !pinnedIds.includes(id))]
}

/** Of the few tickets a person has pinned those they may accept. */
async function listWaitingPins(db: Db, session: Session, choice: ListChoice, bounds: ListBounds): Promise<number[]> {
  const sql = getSql(db)
  const { id: viewerId } = session.viewer
  const rows = await sql<{ id: number }[]>`
    select t.id from ticket_pin p join ticket t on t.id = p.ticket_id
    where p.user_id = ${viewerId} and t.status = 'pending' and not t.is_group
      and (t.user_id is null or t.user_id = ${viewerId})
      and ${listChoiceSql(sql, session, choice, 't')} ${boundsSql(sql, bounds)}
    order by ${placeSql(sql, bounds)}, t.id`
  return toIds(rows)
}

/** How many a list of what is late holds, of those served and of those who wait. */
export async function countLate(
  db: Db,
  session: Session,
  query: QueryParams<'GET /tickets/counts'>,
): Promise<Pick<TicketCounts, 'assigned' | 'pending'>> {
  const attendants = await loadAttendants(db, session)
  const count = async (status: 'open' | 'pending') => {
    const branches = buildBranches(session.viewer, session.settings, parseChoice({ ...query, status }), attendants)
    const bounds = { ...parseBounds({ ...query, status, late: 'true' }, session.settings.timezone), after: null }
    const [row] = await planned<{ n: number }>(
      db,
      branches,
      (sql, all) => sql`select count(*)::int as n from (${pageSql(sql, all, bounds, MOST_LATE)}) page`,
    )
    return row?.n ?? 0
  }
  return { assigned: await count('open'), pending: await count('pending') }
}

/** Every ticket with the bot that the viewer may see (spec 1 §7 `GET /ticket2`). */
export async function listBotTickets(db: Db, session: Session): Promise<Ticket[]> {
  const { ids } = await findNewestTickets(
    db,
    session,
    parseChoice({ status: 'bot', showAll: 'true' }),
    MOST_BOT_TICKETS,
  )
  const views = await loadTickets(db, ids)
  return ids.flatMap(id => views.get(id)?.ticket ?? [])
}

/** What a person chose above a list. */
function parseChoice(query: Pick<Query, 'status' | 'isGroup' | 'showAll' | 'queueIds'>): ListChoice {
  return {
    kinds: selectTicketKinds(query.status, query.isGroup === undefined ? undefined : query.isGroup === 'true'),
    showAll: query.showAll === 'true',
    queueIds: parseQueueIds(query.queueIds),
  }
}

/** Ids as the specification sends them: a JSON array in a text. */
export function parseQueueIds(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const ids = text.match(/\d{1,9}/g) ?? []
  return [...new Set(ids.map(Number))]
}

/** Whose tickets a hierarchy shows: asked once a page, so that no branch has to look at people row by row. */
async function loadAttendants(db: Db, { viewer, settings }: Session): Promise<number[]> {
  if (!settings.hierarchy || viewer.profile === 'admin') return []
  const rows = await getSql(db)<{ id: number }[]>`
    select id from "user" where profile = 'user' and id <> ${viewer.id}`
  return toIds(rows)
}

/** Rows of a statement over the branches; without any there are none. */
async function planned<Row extends object>(
  db: Db,
  branches: readonly Branch[],
  query: (sql: postgres.Sql, branches: readonly Branch[]) => SqlFragment,
): Promise<readonly Row[]> {
  return branches.length === 0 ? [] : queryWithPlan<Row>(db, RANGES_ONLY, sql => query(sql, branches))
}

/**
 * Which tickets, in the order of the list. Branches are data, not text: those that look in the same index are rows of one part, so
 * there are a few dozen statements in all, whatever is asked. A branch can only be on the page if its newest ticket is.
 */
function pageSql(
  sql: postgres.Sql,
  branches: readonly Branch[],
  bounds: ListBounds,
  limit: number,
  skip = 0,
): SqlFragment {
  const shapes = Map.groupBy(branches, toBranchShape)
  const [first = sql`select`, ...rest] = [...shapes.keys()]
    .sort()
    .map(shape => partSql(sql, shapes.get(shape) ?? [], bounds, skip + limit, branches.length > skip + limit))
  const union = rest.reduce((all, each) => sql`${all} union all ${each}`, first)
  const order = bounds.order ? sql`at, id` : sql`at desc nulls last, id desc nulls last`
  return sql`select id, at from (${union}) page order by ${order} limit ${limit} offset ${skip}`
}

/** Branches of one shape are ranges of one index. */
function toBranchShape({ queueId, owner }: Branch): string {
  return `${queueId === undefined ? 'any' : queueId === null ? 'without' : 'queue'} ${typeof owner === 'number' ? 'person' : owner}`
}

/** `nulls last` is written out because the indexes are made so; otherwise Postgres would sort. */
function partSql(
  sql: postgres.Sql,
  branches: readonly Branch[],
  bounds: ListBounds,
  most: number,
  isCrowded: boolean,
): SqlFragment {
  const [shape] = branches
  const at = placeSql(sql, bounds)
  const order = bounds.order ? sql`at, id` : sql`at desc nulls last, id desc nulls last`
  const range = (limit: number) => sql`(
    select t.id, ${at} as at from ticket t
    where t.status = k.status and t.is_group = k.is_group ${indexSql(sql, bounds)} ${shape ? rangeSql(sql, shape) : sql``} ${boundsSql(sql, bounds)}
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

function rangeSql(sql: postgres.Sql, { queueId, owner }: Branch): SqlFragment {
  const queue =
    queueId === undefined ? sql`` : queueId === null ? sql`and t.queue_id is null` : sql`and t.queue_id = k.queue_id`
  const person =
    owner === 'anyone' ? sql`` : owner === 'nobody' ? sql`and t.user_id is null` : sql`and t.user_id = k.user_id`
  return sql`${queue} ${person}`
}

/** What the list is in order of. */
function placeSql(sql: postgres.Sql, { order }: Pick<ListBounds, 'order'>): SqlFragment {
  if (order === 'due') return sql`coalesce(t.answer_due_at, 'infinity'::timestamptz)`
  return order === 'wait' ? sql`coalesce(t.answer_since, t.created_at)` : sql`t.last_message_at`
}

/** Who waits and who is to be answered stand in indexes of their own, which are found by these words. */
function indexSql(sql: postgres.Sql, { order }: ListBounds): SqlFragment {
  if (order === 'due') return sql`and t.status in ('pending', 'open') and not t.is_group`
  return order === 'wait' ? sql`and t.status = 'pending' and not t.is_group` : sql``
}

function boundsSql(sql: postgres.Sql, bounds: ListBounds): SqlFragment {
  const { order, after, from, until, onlyUnread, onlyLate } = bounds
  const behind = sql`(${placeSql(sql, bounds)}, t.id) ${order ? sql`>` : sql`<`}`
  return sql`
    ${after ? sql`and ${behind} (${after.text}::timestamptz, ${after.id}::int)` : sql``}
    ${from ? sql`and t.last_message_at >= ${from}::timestamptz` : sql``}
    ${until ? sql`and t.last_message_at < ${until}::timestamptz` : sql``}
    ${onlyUnread ? sql`and t.unread_messages > 0` : sql``}
    ${onlyLate ? sql`and ${placeSql(sql, bounds)} < now()` : sql``}`
}

/** How many, of live lists, from the tally; null for the others and with dates: nobody counts those. */
function countListedSql(sql: postgres.Sql, session: Session, choice: ListChoice, bounds: ListBounds): SqlFragment {
  const live = choice.kinds.filter(kind => kind.status !== 'closed')
  if (live.length < choice.kinds.length || bounds.from !== null || bounds.until !== null || bounds.onlyLate)
    return sql`select null::int as n`
  // The kinds of a list are each of its statuses for people, for groups, or for both.
  return sql`
    select coalesce(sum(y.n), 0)::int as n from ticket_tally y
    where y.status = any(${live.map(kind => kind.status)}::text[]) and y.is_group = any(${live.map(kind => String(kind.isGroup))}::text[]::bool[])
      and ${listChoiceSql(sql, session, choice, 'y')}
      ${bounds.onlyUnread ? sql`and y.unread` : sql``}`
}

/** Visible, of the chosen queues, and one's own or nobody's for who left 'show all' off. */
export function listChoiceSql(
  sql: postgres.Sql,
  { viewer, settings }: Session,
  choice: Pick<ListChoice, 'showAll' | 'queueIds'>,
  row: string,
): SqlFragment {
  const ticket = sql(row)
  return sql`${servableTicketsSql(sql, viewer, settings, row)}
    ${shouldShowAll(viewer, settings, choice) ? sql`` : sql`and (${ticket}.user_id is null or ${ticket}.user_id = ${viewer.id})`}
    ${choice.queueIds ? sql`and ${ticket}.queue_id = any(${[...choice.queueIds]}::int[])` : sql``}`
}

function parseBounds(query: Query, timezone: string): Omit<ListBounds, 'after'> {
  const { date } = query
  const from = date ?? query.firstDate
  const until = date ?? query.lastDate
  const onlyLate = query.late === 'true'
  const order = onlyLate ? 'due' : query.order
  if (order === 'wait' && query.status !== 'pending') throw createFieldError('order', 'call.onlyPending')
  if (order === 'due' && query.status !== 'pending' && query.status !== 'open')
    throw createFieldError(onlyLate ? 'late' : 'order', 'call.onlyPendingOrOpen')
  return {
    ...(order ? { order } : {}),
    ...(onlyLate ? { onlyLate } : {}),
    from: from === undefined ? null : parseDateBound(date === undefined ? 'firstDate' : 'date', from, 0, timezone),
    until: until === undefined ? null : parseDateBound(date === undefined ? 'lastDate' : 'date', until, 1, timezone),
    onlyUnread: query.withUnreadMessages === 'true',
  }
}
