// Finding messages in every conversation one may see, newest first: by words, who wrote them, when, of which kind. The narrowest index that
// knows what was chosen is walked, so many messages at a time; a rare word is looked up (docs/decisions/0322).
import { LIMITS, type QueryParams, type ResponseBody, SEARCH_MEDIA_TYPES } from '@balcao/contract'
import type postgres from 'postgres'
import { type Db, getPageDatabase } from '../../platform/database/client.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { parseDateBound } from '../../policy/calendar/days.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadTickets } from './present.ts'
import { parseSearch } from './search.ts'
import {
  contactRowSql,
  containsWordsSql,
  messageHitSql,
  PLANNED_EACH_TIME,
  searchFilterSql,
  type TicketSearch,
} from './search-conditions.ts'
import { loadMessageHits } from './search-hits.ts'
import { estimateMessageCount, findFewContacts } from './search-index.ts'
import { findContactTickets } from './search-walk.ts'

type Query = QueryParams<'GET /tickets/messages'>
type Page = ResponseBody<'GET /tickets/messages'>

/** So many messages are read in one walk; behind the last of them the next one begins. */
const MOST_READ = 20_000
/** As many as hold a word that is looked up rather than walked to. */
const RARE = 5000
/** Of so many contacts each has a range of its own, and each of their tickets where those that are shown are few. */
const FEW_CONTACTS = 16
const FEW_TICKETS = 64

interface MessageSearch extends TicketSearch {
  readonly author: 'contact' | number | null
  readonly kind: Query['kind']
  readonly from: string | null
  readonly until: string | null
  readonly after: { readonly text: string; readonly id: number } | null
  /** The contacts with the chosen name or tag, where they are few. */
  readonly contactIds: readonly number[] | null
  /** Their tickets that are visible and chosen, where these are few. */
  readonly ticketIds: readonly number[] | null
}

interface Row {
  readonly id: number
  readonly at: string
}

/** A page of at most 50. Throws `ERR_VALIDATION` for what cannot be searched, with its field. */
export async function searchTicketMessages(db: Db, session: Session, query: Query): Promise<Page> {
  const search = await parseMessageSearch(db, session, query)
  const most = LIMITS.searchResults
  const found = await walk(db, search)
  if (found.length > most) return present(db, search, toPage(found, most, toPlace))
  const end = await findWalkEnd(db, search)
  if (!end) return present(db, search, toPage(found, most, toPlace))
  if (await isRare(db, search)) return present(db, search, toPage(await lookUp(db, search), most, toPlace))
  const { nextCursor } = toPage([end, end], 1, toPlace)
  return present(db, search, { ids: found.map(row => row.id), hasMore: true, nextCursor }, end.at)
}

async function present(
  db: Db,
  search: MessageSearch,
  page: ReturnType<typeof toPage>,
  searchedTo: string | null = null,
) {
  const { ids, ...rest } = page
  const hits = await loadMessageHits(db, ids, search.words)
  const ticketIds = [...new Set(hits.map(hit => hit.ticketId))]
  const views = await loadTickets(db, ticketIds)
  return {
    hits,
    tickets: ticketIds.flatMap(id => views.get(id)?.ticket ?? []),
    count: hits.length,
    ...rest,
    searchedTo,
  }
}

function toPlace(row: { readonly id: number }): string {
  return 'at' in row ? String(row.at) : ''
}

function walk(db: Db, search: MessageSearch): Promise<readonly Row[]> {
  return queryWithPlan<Row>(db, RANGES_ONLY, sql => hitsSql(sql, search, sql`(${rangeSql(sql, search)}) m`))
}

/** The words are in few messages: all of them, in the order of time. */
function lookUp(db: Db, search: MessageSearch): Promise<readonly Row[]> {
  return queryWithPlan<Row>(
    db,
    PLANNED_EACH_TIME,
    sql => sql`
      with m as materialized (select * from message m where ${containsWordsSql(sql, sql`m.search_text`, search.words)} ${boundsSql(sql, search)})
      ${hitsSql(sql, search, sql`(select * from m order by at ${newestFirstSql(sql, search)}, id desc) m`)}`,
  )
}

/** Of these messages `m` the first that fit, in tickets the viewer may see. Each ticket is looked up: the order stays. */
function hitsSql(sql: postgres.Sql, search: MessageSearch, source: SqlFragment): SqlFragment {
  return sql`
    select m.id::float8 as id, m.at from ${source}
      cross join lateral (select * from ticket where id = m.ticket_id limit 1) t ${contactRowSql(sql)}
    where ${searchFilterSql(sql, search)} and ${fitsSql(sql, search)}
      ${search.words.length > 0 ? sql`and ${messageHitSql(sql, search, false)}` : sql``}
    order by m.at ${newestFirstSql(sql, search)}, m.id desc limit ${LIMITS.searchResults + 1}`
}

/** The last message of a walk; null where it read all there are. */
async function findWalkEnd(db: Db, search: MessageSearch): Promise<Row | null> {
  const [end] = await queryWithPlan<Row>(
    db,
    RANGES_ONLY,
    sql =>
      sql`select id::float8 as id, at from (${rangeSql(sql, search)}) m order by at ${newestFirstSql(sql, search)}, m.id desc offset ${MOST_READ - 1} limit 1`,
  )
  return end ?? null
}

/** As many messages as one walk reads, newest first, from the index that knows most of what was chosen. */
function rangeSql(sql: postgres.Sql, search: MessageSearch): SqlFragment {
  const { contactIds, ticketIds, author, kind } = search
  if (ticketIds) return mergedSql(sql, search, listRanges(sql, sql`m.ticket_id`, ticketIds))
  if (contactIds) return mergedSql(sql, search, listRanges(sql, sql`m.contact_id`, contactIds))
  if (kind === 'link') return mergedSql(sql, search, [sql`m.body ~ 'https?://'`])
  if (kind && kind !== 'text') {
    const types = SEARCH_MEDIA_TYPES[kind]
    return mergedSql(
      sql,
      search,
      types.map(type => sql`m.media_type = ${type} and m.media_type <> 'chat'`),
    )
  }
  return mergedSql(sql, search, [typeof author === 'number' ? sql`m.user_id = ${author}` : sql`true`])
}

/** One for each id. Each number of ranges is a statement of its own that every connection keeps: so there are few; those too many are of none. */
function listRanges(sql: postgres.Sql, column: SqlFragment, ids: readonly number[]): SqlFragment[] {
  const count = 4 ** Math.ceil(Math.log2(Math.max(1, ids.length)) / 2)
  const places = Array.from({ length: count }, (_, n) => n + 1)
  return places.map(place => sql`${column} = (${[...ids]}::int[])[${place}::int]`)
}

/** Newest first as the walked index is made; otherwise Postgres would sort. No message is without its time. */
function newestFirstSql(sql: postgres.Sql, { contactIds }: MessageSearch): SqlFragment {
  return contactIds ? sql`desc nulls last` : sql`desc`
}

/** Each part is a range of an index, and Postgres merges their heads as the index is made: it reads no further than it is asked for. */
function mergedSql(sql: postgres.Sql, search: MessageSearch, parts: readonly SqlFragment[]): SqlFragment {
  const way = newestFirstSql(sql, search)
  // Indexes of a contact and of a ticket know no ids: those of one moment are sorted once they are merged.
  const order = search.contactIds ? sql`m.at ${way}` : sql`m.at ${way}, m.id desc`
  const [first = sql``, ...rest] = parts.map(
    part => sql`(select m.* from message m where ${part} ${boundsSql(sql, search)} order by ${order})`,
  )
  const all = rest.reduce((some, part) => sql`${some} union all ${part}`, first)
  return sql`select * from (select * from (${all}) m order by ${order}) m order by at ${way}, id desc limit ${MOST_READ}`
}

function boundsSql(sql: postgres.Sql, { from, until, after }: MessageSearch): SqlFragment {
  return sql`
    ${from ? sql`and m.at >= ${from}::timestamptz` : sql``}
    ${until ? sql`and m.at < ${until}::timestamptz` : sql``}
    ${after ? sql`and (m.at, m.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}`
}

/** What was chosen of the message itself. What was taken back and lines of the desk are never found. */
function fitsSql(sql: postgres.Sql, { author, kind }: MessageSearch): SqlFragment {
  const types = kind && kind !== 'link' ? SEARCH_MEDIA_TYPES[kind] : null
  return sql`not m.is_deleted and m.media_type <> 'system'
    ${author === 'contact' ? sql`and not m.from_me` : author === null ? sql`` : sql`and m.user_id = ${author}`}
    ${types ? sql`and m.media_type = any(${[...types]}::text[])` : kind ? sql`and m.body ~ 'https?://' and m.media_type <> 'location'` : sql``}`
}

async function isRare(db: Db, search: MessageSearch): Promise<boolean> {
  const isIndexed = search.words.some(word => /[\p{L}\p{N}]{3}/u.test(word))
  return isIndexed && (await estimateMessageCount(db, search)) <= RARE
}

async function parseMessageSearch(db: Db, session: Session, query: Query): Promise<MessageSearch> {
  const { timezone } = session.settings
  const { firstDate, lastDate, kind } = query
  const from = firstDate === undefined ? null : parseDateBound('firstDate', firstDate, 0, timezone)
  const until = lastDate === undefined ? null : parseDateBound('lastDate', lastDate, 1, timezone)
  if (from && until && from >= until) throw createFieldError('lastDate', 'call.period')
  const { after } = parsePageBounds({ cursor: query.cursor }, LIMITS.searchResults, LIMITS.searchResults)
  if (after && Number.isNaN(Date.parse(after.text))) throw createFieldError('cursor', 'call.cursor')
  const [search, author] = await Promise.all([parseSearch(db, session, query), findAuthor(db, query.writtenBy)])
  const contactIds = await findFewContacts(db, search, FEW_CONTACTS)
  const tickets = contactIds && (await findContactTickets(db, search, contactIds, FEW_TICKETS + 1))
  const ticketIds = tickets && tickets.length <= FEW_TICKETS ? tickets : null
  return { ...search, author, kind, from, until, after, contactIds, ticketIds }
}

async function findAuthor(db: Db, writtenBy: string | undefined): Promise<MessageSearch['author']> {
  if (writtenBy === undefined || writtenBy === 'contact') return writtenBy ?? null
  const id = /^\d{1,9}$/.test(writtenBy) ? Number(writtenBy) : 0
  const [person] = await getSql(getPageDatabase(db))<{ id: number }[]>`select id from "user" where id = ${id}`
  if (!person) throw createFieldError('writtenBy', 'call.person')
  return person.id
}
