// Protocols as they are looked up (spec 3 §2), only those one may see: by their numbers, which begin with the day, the newest first, in
// pages by key. So a page is a range of one index, also of those that begin with some digits.
import { LIMITS, type Protocol, type QueryParams, type ResponseBody } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db, Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { AppError, createAccessError } from '../../platform/http/errors.ts'
import { parsePageBounds, parseSearchText, toLikePattern, toPage } from '../../platform/http/paging.ts'
import { visibleProtocolsSql } from '../../policy/access/protocols.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadProtocols } from './present.ts'

type ProtocolPosition = { readonly id: number; readonly protocolo: string }

/** Contacts with protocols that a search goes through. */
const MOST_CONTACTS = 500
/** A search is planned for its words: whether they are rare decides the way. Tickets are looked up one by one, never read all. */
const FOR_ITS_WORDS = (sql: postgres.Sql) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`

/** A page of protocols. `count` stops at 1,000. Throws `ERR_VALIDATION` for a search of less than three characters. */
export async function listProtocols(
  db: Db,
  session: Session,
  query: QueryParams<'GET /protocolos'>,
): Promise<ResponseBody<'GET /protocolos'>> {
  const { after, skip, limit } = parsePageBounds(query, LIMITS.rowsPage, LIMITS.rowsPage)
  const words = parseSearchText('searchParam', query.searchParam)
  const contacts = words === null ? [] : await contactsWith(db, words)
  const way = words === null ? RANGES_ONLY : FOR_ITS_WORDS
  const found = (sql: postgres.Sql, most: number, before: string | null) => {
    const range = (of: SqlFragment) => rangeSql(sql, session, of, before, most)
    return words === null ? range(sql`true`) : foundSql(sql, words, contacts, range)
  }
  const [rows, counted] = await Promise.all([
    queryWithPlan<ProtocolPosition>(db, way, sql => {
      const all = found(sql, skip + limit + 1, after?.text ?? null)
      return sql`select id, protocolo from (${all}) page order by protocolo using ~>~ offset ${skip} limit ${limit + 1}`
    }),
    queryWithPlan<{ n: number }>(
      db,
      way,
      sql => sql`select count(*)::int as n from (${found(sql, LIMITS.counted, null)}) x`,
    ),
  ])
  const { ids, ...page } = toPage(rows, limit, row => row.protocolo)
  const count = Math.min(counted[0]?.n ?? 0, LIMITS.counted)
  return { protocolos: await loadProtocols(db, ids), count, ...page }
}

/** One protocol, as this person may see it. Throws `ERR_NO_PROTOCOL_FOUND`, `ERR_NO_PERMISSION`. */
export async function getProtocol(db: Db | Tx, session: Session, id: number): Promise<Protocol> {
  const sql = getSql(db)
  const [row] = await sql<{ visible: boolean | null }[]>`
    select ${visibleProtocolsSql(sql, session.viewer, session.settings)} as visible
    from protocol p join ticket t on t.id = p.ticket_id where p.id = ${id}`
  if (!row) throw new AppError('ERR_NO_PROTOCOL_FOUND')
  if (!row.visible) throw createAccessError('ticket')
  const [protocol] = await loadProtocols(db, [id])
  if (!protocol) throw new AppError('ERR_NO_PROTOCOL_FOUND')
  return protocol
}

/** The newest that one may see of those that `of` names. */
function rangeSql(
  sql: postgres.Sql,
  { viewer, settings }: Session,
  of: SqlFragment,
  before: string | null,
  most: number,
): SqlFragment {
  return sql`
    select p.id, p.protocolo from protocol p join ticket t on t.id = p.ticket_id
    where ${of} and ${visibleProtocolsSql(sql, viewer, settings)}
      ${before === null ? sql`` : sql`and p.protocolo ~<~ ${before}`}
    order by p.protocolo using ~>~ limit ${most}`
}

/** By the beginning of the number, by what stands at its end, by ticket, by what it was about, by contact. */
function foundSql(
  sql: postgres.Sql,
  words: string,
  contacts: number[],
  range: (of: SqlFragment) => SqlFragment,
): SqlFragment {
  const number = /^#?\s*(\d{1,9})$/.exec(words)?.[1]
  return sql`
    (${range(sql`f_norm(p.mensagem) like f_like(${words})`)})
    union (${range(sql`p.contact_id = any(${contacts}::int[])`)})
    union (${range(sql`p.protocolo ~>=~ ${words} and p.protocolo ~<~ ${`${words}:`}`)})
    ${number === undefined ? sql`` : sql`union (${range(sql`p.ticket_id = ${number}::int`)}) union (${range(sql`p.id = ${number}::int`)})`}`
}

/** Contacts of this name or number that have a protocol. */
async function contactsWith(db: Db, words: string): Promise<number[]> {
  const digits = words.replace(/\D/g, '')
  const rows = await getSql(db)<{ id: number }[]>`
    select c.id from (
      select o.id from contact o where o.search_name like f_like(${words})
      union select i.contact_id from contact_identity i
        where ${digits.length >= 3}::boolean and i.value like ${toLikePattern(digits)}) c
    where exists (select 1 from protocol p where p.contact_id = c.id) limit ${MOST_CONTACTS}`
  return toIds(rows)
}
