// The activity log as it is read (decisions-2 §16): newest first, every page a few ranges of indexes however long the log is.
import {
  formatLogText,
  isLogAction,
  isSettingKey,
  LIMITS,
  LOG_SENTENCES,
  type LogRow,
  type QueryParams,
  type ResponseBody,
  SETTINGS,
  type Viewer,
} from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { createFieldError } from '../../platform/http/errors.ts'
import { type PageBounds, parsePageBounds, parseSearchText, toLikePattern, toPage } from '../../platform/http/paging.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { parseDateBound } from '../../policy/calendar/days.ts'
import { toLogEntry } from './present.ts'

type Query = QueryParams<'GET /log'>
type Fragment = postgres.PendingQuery<postgres.Row[]>
type LogPosition = { readonly id: number; readonly at: string }

/** Of those a search leads to: one that has entries counts at least one. */
const MOST_FOUND = LIMITS.counted

type Reader = Pick<Viewer, 'id'>

/** A page of the log. Throws `ERR_VALIDATION` for days that are none and a search of less than three letters. */
export async function listLog(
  db: Db,
  reader: Reader,
  query: Query,
  timezone: string,
  rowsOfPage: number = LIMITS.logPage,
): Promise<ResponseBody<'GET /log'>> {
  const sql = getSql(db)
  const bounds = parsePageBounds(query, rowsOfPage, rowsOfPage)
  const filters = filtersSql(sql, query, timezone)
  const words = parseSearchText('searchParam', query.searchParam)
  const limit = bounds.skip + bounds.limit + 1
  const all = { ...bounds, after: null }
  const found =
    words === null
      ? null
      : await findSearchMatches(
          db,
          reader,
          words,
          query,
          each => range(sql, sayingSql(sql, each), filters, all, Math.max(limit, LIMITS.counted)),
          each => range(sql, sayingSql(sql, each), filters, bounds, limit),
        )
  const [rows, count] = await Promise.all([
    queryWithPlan<LogPosition>(
      db,
      RANGES_ONLY,
      () => sql`
        select id::float8 as id, at from (${found ? matchAnySql(sql, found, found.entries.slice(0, limit), filters, bounds, limit) : range(sql, sql`true`, filters, bounds, limit)}) page
        order by at desc, page.id desc offset ${bounds.skip} limit ${bounds.limit + 1}`,
    ),
    counted(
      db,
      found
        ? matchAnySql(sql, found, found.anyEntries, filters, all, LIMITS.counted, LIMITS.counted)
        : range(sql, sql`true`, filters, all, LIMITS.counted),
    ),
  ])
  const { ids, ...page } = toPage(rows, bounds.limit, row => row.at)
  return { logs: await loadLog(db, reader, ids), count, ...page }
}

/** The newest entries of one range of an index. */
function range(sql: postgres.Sql, of: Fragment, filters: Fragment, { after }: PageBounds, limit: number): Fragment {
  return sql`
    select l.id, l.created_at as at from log_entry l where ${of} ${filters}
      ${after ? sql`and (l.created_at, l.id) < (${after.text}::timestamptz, ${after.id}::bigint)` : sql``}
    order by l.created_at desc, l.id desc limit ${limit}`
}

/** What a search leads to: each is looked up by itself, in an index of its own. */
interface LogSearchMatches {
  readonly users: number[]
  readonly contacts: number[]
  readonly queues: number[]
  readonly connections: number[]
  readonly tickets: number[]
  readonly actions: string[]
  readonly settings: string[]
  /** By their own words, of a page by its cursor: reported ones, and those from before actions had codes. */
  readonly entries: number[]
  /** The same of any page; the newest of them are those of the first pages. */
  readonly anyEntries: number[]
}

/** What any of them leads to. `enough` is how many of each, where it is not the newest that are asked for. */
function matchAnySql(
  sql: postgres.Sql,
  found: LogSearchMatches,
  entries: readonly number[],
  filters: Fragment,
  bounds: PageBounds,
  limit: number,
  enough: number | null = null,
): Fragment {
  const each = (keys: Fragment, of: Fragment) =>
    sql`(select l.id, l.at from unnest(${keys}) k(id) cross join lateral (${range(sql, of, filters, bounds, limit)}) l ${enough === null ? sql`` : sql`limit ${enough}`})`
  const ids = (list: readonly number[]) => sql`${[...list]}::int[]`
  return sql`
    ${each(ids(found.users), sql`l.user_id = k.id`)}
    union ${each(ids(found.users), sql`l.origem = 'user' and l.entity_id = k.id`)}
    union ${each(ids(found.contacts), sql`l.contact_id = k.id`)}
    union ${each(ids(found.queues), sql`l.queue_id = k.id`)}
    union ${each(ids(found.connections), sql`l.whatsapp_id = k.id`)}
    union ${each(ids(found.tickets), sql`l.ticket_id = k.id`)}
    union select l.id, l.created_at as at from log_entry l where l.id = any(${[...entries]}::bigint[])
    union ${each(sql`${found.actions}::text[]`, sql`l.action = k.id`)}
    ${found.settings.length === 0 ? sql`` : sql`union (${range(sql, sql`l.action = 'setting.update' and l.params->>'key' = any(${[...found.settings]}::text[])`, filters, bounds, limit)})`}`
}

function filtersSql(sql: postgres.Sql, query: Query, timezone: string): Fragment {
  const { userId, entity, entityId, action, origem, firstDate, lastDate } = query
  if (action !== undefined && !isLogAction(action)) throw createFieldError('action', 'call.action')
  if (entityId !== undefined && entity === undefined) throw createFieldError('entity', 'call.entity')
  const from = firstDate === undefined ? null : parseDateBound('firstDate', firstDate, 0, timezone)
  const until = lastDate === undefined ? null : parseDateBound('lastDate', lastDate, 1, timezone)
  if (from !== null && until !== null && from >= until) throw createFieldError('lastDate', 'report.backwards')
  return sql`
    ${userId === undefined ? sql`` : userId === 0 ? sql`and l.user_id is null` : sql`and l.user_id = ${userId}`}
    ${entity === undefined ? sql`` : entityId === undefined ? sql`and l.origem = ${entity}` : thingSql(sql, entity, entityId)}
    ${action === undefined ? sql`` : sql`and l.action = ${action}`}
    ${origem === undefined ? sql`` : sql`and l.source = ${origem}`}
    ${from === null ? sql`` : sql`and l.created_at >= ${from}::timestamptz`}
    ${until === null ? sql`` : sql`and l.created_at < ${until}::timestamptz`}`
}

/** Everything that was done to one thing, also by what has another name: a protocol is of its ticket. */
function thingSql(sql: postgres.Sql, entity: string, id: number): Fragment {
  switch (entity) {
    case 'ticket':
      return sql`and l.ticket_id = ${id}`
    case 'contact':
      return sql`and l.contact_id = ${id}`
    case 'queue':
      return sql`and l.queue_id = ${id}`
    case 'connection':
      return sql`and l.whatsapp_id = ${id}`
    default:
      return sql`and l.origem = ${entity} and l.entity_id = ${id}`
  }
}

async function counted(db: Db, all: Fragment): Promise<number> {
  const [row] = await queryWithPlan<{ n: number }>(
    db,
    RANGES_ONLY,
    sql => sql`select least(count(*), ${LIMITS.counted})::int as n from (${all}) counted`,
  )
  return row?.n ?? 0
}

type FoundIds = 'users' | 'contacts' | 'queues' | 'connections' | 'tickets' | 'entries' | 'anyEntries'

async function findSearchMatches(
  db: Db,
  reader: Reader,
  words: string,
  { settings, actions, cursor }: Query,
  anyWords: (each: readonly string[]) => Fragment,
  pageWords: (each: readonly string[]) => Fragment,
): Promise<LogSearchMatches> {
  const sql = getSql(db)
  const each = words.split(/\s+/)
  const digits = words.replace(/\D/g, '')
  const number = digits.length >= 3 ? toLikePattern(digits) : null
  const ticket = /^#?(\d{1,9})$/.exec(words)?.[1]
  const protocol = /^\d{6,}$/.test(words) ? `${words}%` : null
  const [row] = await sql<Record<FoundIds, number[] | null>[]>`
    select
      array(select id from "user" where f_norm(name) like f_like(${words}) limit ${MOST_FOUND}) as users,
      array(select id from contact where search_name like f_like(${words}) limit ${MOST_FOUND})
        || array(select contact_id from contact_identity where ${number}::text is not null and value like ${number} limit ${MOST_FOUND}) as contacts,
      array(select id from queue where f_norm(name) like f_like(${words}) limit ${MOST_FOUND}) as queues,
      array(select id from whatsapp where f_norm(name) like f_like(${words}) limit ${MOST_FOUND}) as connections,
      array(select ticket_id from protocol where ${protocol}::text is not null and protocolo like ${protocol} limit ${MOST_FOUND}) as tickets,
      array(select id::float8 from (${anyWords(each)}) own) as "anyEntries",
      ${cursor === undefined ? sql`null::float8[]` : sql`array(select id::float8 from (${pageWords(each)}) own)`} as entries`
  return {
    // Nobody finds out the owner's name by searching for it.
    users: (row?.users ?? []).filter(id => !isHidden(reader, id)),
    contacts: row?.contacts ?? [],
    queues: row?.queues ?? [],
    connections: row?.connections ?? [],
    tickets: [...(ticket ? [Number(ticket)] : []), ...(row?.tickets ?? [])],
    actions: [...new Set([...actionsSaying(words), ...listed(actions).filter(isLogAction)])],
    settings: [...new Set([...settingsCalled(words), ...listed(settings).filter(isSettingKey)])],
    entries: row?.entries ?? row?.anyEntries ?? [],
    anyEntries: row?.anyEntries ?? [],
  }
}

/** What a text names, separated by commas. */
function listed(text = ''): string[] {
  return text.split(',').filter(Boolean)
}

/** Entries that have words of their own, every one of these among them. */
function sayingSql(sql: postgres.Sql, words: readonly string[]): Fragment {
  // The longest is asked of the index, the others of what it finds.
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '')
  return sql`l.descricao is not null and f_norm(l.descricao) like f_like(${longest})
    and not exists (select from unnest(${[...words]}::text[]) as wanted(word) where f_norm(l.descricao) not like f_like(word))`
}

/** The actions whose sentence holds every word. */
function actionsSaying(words: string): string[] {
  return Object.entries(LOG_SENTENCES).flatMap(([action, sentence]) =>
    says(sentence.replace(HOLE, ''), words) ? [action] : [],
  )
}

/** The settings whose change an entry says with every word: by their key, as on the wire. */
function settingsCalled(words: string): string[] {
  return Object.keys(SETTINGS).filter(key => says(formatLogText('setting.update', { key }), words))
}

const HOLE = /\{\{\w+\}\}/g

function says(sentence: string, words: string): boolean {
  const text = folded(sentence)
  return folded(words)
    .split(/\s+/)
    .every(word => text.includes(word))
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

async function loadLog(db: Db, reader: Reader, ids: readonly number[]): Promise<LogRow[]> {
  const rows = await getSql(db)<StoredRow[]>`
    select l.id::float8 as id, l.action, l.params, l.descricao, l.origem as entity, l.source, l.user_id as "userId", l.ticket_id as "ticketId",
      l.contact_id as "contactId", l.queue_id as "queueId", l.whatsapp_id as "whatsappId", l.message_id::int as "messageId",
      l.entity_id as "entityId", l.reported, l.created_at as "createdAt",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'profilePicUrl', u.profile_pic_url) end as user,
      coalesce(
        case l.origem
          when 'user' then (select name from "user" where id = l.entity_id)
          when 'tag' then (select name from tag where id = l.entity_id)
          when 'quickAnswer' then (select shortcut from quick_answer where id = l.entity_id and user_id is null)
          when 'schedule' then (select title from schedule where id = l.entity_id)
          when 'send' then (select left(body, 60) from send where id = l.entity_id)
          when 'queue' then (select coalesce((select name from queue where id = l.queue_id), (select name from past_queue where id = l.queue_id)))
          when 'connection' then (select name from whatsapp where id = l.whatsapp_id)
        end,
        (select name from contact where id = coalesce(l.contact_id, (select contact_id from ticket where id = l.ticket_id)))) as about
    from log_entry l left join "user" u on u.id = l.user_id
    where l.id = any(${[...ids]}::bigint[])`
  return sortByIds(ids, rows).map(({ user, about, ...row }) => {
    const isOwner = row.entity === 'user' && row.entityId !== null && isHidden(reader, row.entityId)
    return { ...toLogEntry(row), user: user && !isHidden(reader, user.id) ? user : null, about: isOwner ? null : about }
  })
}

type StoredRow = Parameters<typeof toLogEntry>[0] & Pick<LogRow, 'user' | 'about'>
