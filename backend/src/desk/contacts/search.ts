// Contacts found by parts of their names, e-mails and numbers, in the order of the list (docs/decisions/0220): a walk along the list that
// looks at a few thousand, then what indexes of letters by threes know, and only where that is too much the walk to the end.
import { type ContactSearch, isIndexed, LIMITS, parseContactSearch } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { getSql, queryWithPlan, RANGES_ONLY } from '../../platform/database/raw.ts'
import { type PageBounds, toLikePattern } from '../../platform/http/paging.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'

/** Where a contact stands in the list. */
export interface ContactPosition {
  readonly id: number
  readonly name: string
}

export interface ContactListPage {
  readonly bounds: PageBounds
  readonly withGroups: boolean
}

/** `count`: how many the whole search finds, up to `LIMITS.counted`; null where finding the page did not tell. */
interface ContactPage {
  readonly rows: readonly ContactPosition[]
  readonly count: number | null
}

/** So many are looked at before an index is asked: enough for what one in two hundred has. */
export const WALK_LENGTH = 4000
/** Four digits one in a thousand has: an index would give their thousand, each from a place of its own in the book. */
const FOUR_DIGIT_WALK = 30_000
const FOUR = 4
/** So many found at the first look are no chance. */
const OFTEN = 5
/** So many digits nearly nobody shares. */
const OWN_DIGITS = 9
/** Who asks an index for more than so many gets them in no order, and too late. */
export const MOST_INDEXED = 5000
/** Looked at before an index counts: enough for what one in twenty has. */
const COUNTING_WALK = 20_000
const ALL = 2 ** 31 - 1

/** Nothing searched: the list itself. */
export async function listContactPage(db: Db, page: ContactListPage): Promise<ContactPage> {
  const rows = await queryWithPlan<ContactPosition>(
    db,
    RANGES_ONLY,
    sql => sql`
      select c.id, c.search_name as name from contact c where ${behind(sql, page)}
      order by c.search_name collate "C", c.id offset ${page.bounds.skip} limit ${page.bounds.limit + 1}`,
  )
  return { rows, count: null }
}

/** A page of those in whose name or e-mail all words stand, or in one of whose numbers the digits do; `counts`: the same walk counts them. */
export async function findContactPage(
  db: Db,
  text: string,
  page: ContactListPage,
  counts: boolean,
): Promise<ContactPage> {
  const search = parseContactSearch(text)
  const walk = counts && canCount(page) ? walkedAndCounted : walked
  const scanLength = estimateScanLength(search)
  const near = await walk(db, search, page, scanLength)
  if (near.rows.length > page.bounds.limit) return near
  // As many as this are nearer by the walk: an index would give them by the thousand, each from a place of its own.
  if (near.rows.length >= OFTEN) {
    const further = await walk(db, search, page, computeScanLength(page, scanLength / near.rows.length))
    if (further.rows.length > page.bounds.limit) return further
  }
  const rows = await lookedUp(db, search, page)
  return rows ? { rows, count: null } : walk(db, search, page, ALL)
}

/** How many a search finds, up to `LIMITS.counted`: by a walk along the list that stops there, then by what the indexes know. */
export async function countFoundContacts(db: Db, text: string, withGroups: boolean): Promise<number> {
  const search = parseContactSearch(text)
  const most = LIMITS.counted
  const page = { bounds: { skip: 0, limit: most - 1, after: null }, withGroups }
  const walk = (scanLength: number) => (sql: postgres.Sql) =>
    sql`select count(*)::int as n, false as cut from (${walkSql(sql, search, page, scanLength)}) w`
  const near = await countRows(db, RANGES_ONLY, walk(COUNTING_WALK))
  if (near === most) return most
  const words = await foldWords(db, search.words)
  const known = isKnownToIndex(words, search)
    ? await countRows(
        db,
        LETTER_INDEX_PLAN,
        sql => sql`
          ${lookupSql(sql, { ...search, words }, page, most)}
          select n, n < ${most} and (select count(*) from numbers) = ${most} as cut
          from (select count(*)::int as n from (select from found limit ${most}) f) counted`,
      )
    : null
  return known ?? (await countRows(db, RANGES_ONLY, walk(ALL))) ?? 0
}

/** The ids of all contacts a search finds, in no order: for what is done to each of them. */
export function contactSearchSql(sql: postgres.Sql, text: string): postgres.PendingQuery<{ id: number }[]> {
  const { words, digits } = parseContactSearch(text)
  return sql<{ id: number }[]>`
    select c.id from contact c where c.merged_into is null and (
      ${words.length > 0}::boolean and c.search_text like all(
        array(select f_like(w) from unnest(${[...words]}::text[]) w))
      or ${digits !== null}::boolean and ${hasNumber(sql, digits)})`
}

/** Folded as the database folds; none of the words stands in another one. */
export async function foldWords(db: Db, words: readonly string[]): Promise<readonly string[]> {
  const [row] = await getSql(db)<{ words: string[] }[]>`
    select coalesce(array(select f_norm(w) from unnest(${[...words]}::text[]) w), '{}') as words`
  const all = [...new Set(row?.words ?? [])].sort((one, other) => other.length - one.length)
  return all.filter((word, at) => !all.slice(0, at).some(longer => longer.includes(word)))
}

function estimateScanLength({ digits }: ContactSearch): number {
  if (digits === null) return WALK_LENGTH
  if (digits.length === FOUR) return FOUR_DIGIT_WALK
  return digits.length < OWN_DIGITS ? WALK_LENGTH : 0
}

/** How far to look where one in so many fits: three times as far as it takes on average, for names come in flocks. */
function computeScanLength({ bounds: { skip, limit } }: ContactListPage, oneIn: number): number {
  return Math.ceil(3 * oneIn * (skip + limit + 1))
}

/** Whether an index can be asked at all: signs alone stand in none. */
function isKnownToIndex(words: readonly string[], { digits }: ContactSearch): boolean {
  return words.some(isIndexed) || (words.length === 0 && digits !== null)
}

/** The number a statement counted; null where it says that what it counted was cut off. */
async function countRows(
  db: Db,
  settings: Parameters<typeof queryWithPlan>[1],
  query: (sql: postgres.Sql) => postgres.PendingQuery<postgres.Row[]>,
): Promise<number | null> {
  const [row] = await queryWithPlan<{ n: number; cut: boolean }>(db, settings, query)
  return row && !row.cut ? row.n : null
}

async function walked(db: Db, search: ContactSearch, page: ContactListPage, scanLength: number): Promise<ContactPage> {
  const rows = await queryWithPlan<ContactPosition>(db, RANGES_ONLY, sql => walkSql(sql, search, page, scanLength))
  return { rows, count: null }
}

/** Whether a walk for the page is the beginning of the one that counts. */
function canCount({ bounds: { after, skip, limit } }: ContactListPage): boolean {
  return after === null && skip + limit < LIMITS.counted
}

/** The same walk on to the last that is counted; where it ends before, it has counted nothing. */
async function walkedAndCounted(
  db: Db,
  search: ContactSearch,
  page: ContactListPage,
  scanLength: number,
): Promise<ContactPage> {
  const { skip, limit } = page.bounds
  const most = LIMITS.counted
  const whole = { ...page, bounds: { skip: 0, limit: most - 1, after: null } }
  const rows = await queryWithPlan<ContactPosition & { n: number }>(
    db,
    RANGES_ONLY,
    sql => sql`
      with found as materialized (${walkSql(sql, search, whole, scanLength)})
      select id, name, (select count(*) from found)::int as n from found offset ${skip} limit ${limit + 1}`,
  )
  const n = rows[0]?.n ?? 0
  return { rows, count: n === most || (n > 0 && scanLength === ALL) ? n : null }
}

/** The first of those that fit among so many from the cursor on. Both sides are folded by the database, the words once and not for every row. */
function walkSql(
  sql: postgres.Sql,
  { words, digits }: ContactSearch,
  page: ContactListPage,
  scanLength: number,
): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    select w.id, w.name from (
      select c.id, c.search_name as name, c.search_text, c.search_digits from contact c where ${behind(sql, page)}
      order by c.search_name collate "C", c.id limit ${scanLength}) w
    where ${words.length > 0}::boolean and w.search_text like all(array(
        select f_like(w) from unnest(${[...words]}::text[]) w))
      ${digits === null ? sql`` : sql`or w.search_digits like ${`%${digits}%`} or ${isAmongMore(sql, digits)}`}
    offset ${page.bounds.skip} limit ${page.bounds.limit + 1}`
}

/** What the indexes know; null where that is nothing, or too much. */
async function lookedUp(
  db: Db,
  search: ContactSearch,
  page: ContactListPage,
): Promise<readonly ContactPosition[] | null> {
  const { skip, limit } = page.bounds
  const words = await foldWords(db, search.words)
  if (!isKnownToIndex(words, search)) return null
  const rows = await queryWithPlan<ContactPosition & { cut: boolean }>(
    db,
    LETTER_INDEX_PLAN,
    sql => sql`
      ${lookupSql(sql, { ...search, words }, page, MOST_INDEXED)}
      select id, name, (select count(*) from inside) = ${MOST_INDEXED} or (select count(*) from numbers) = ${MOST_INDEXED} as cut from found
      order by name collate "C", id offset ${skip} limit ${limit + 1}`,
  )
  return rows.some(row => row.cut) ? null : rows
}

/** `found`: what the indexes know, up to so many of each. Who begins with a word stands in one stretch of the list. */
function lookupSql(
  sql: postgres.Sql,
  { words, digits }: ContactSearch,
  page: ContactListPage,
  most: number,
): SqlFragment {
  const { skip, limit } = page.bounds
  const patterns = words.map(toLikePattern)
  const [first, second, third] = patterns.filter((_, at) => isIndexed(words[at] ?? ''))
  return sql`
    with inside as materialized (
      select c.id, c.search_name as name from contact c
      where ${behind(sql, page)} and substr(c.search_text, 2) like all(${patterns}::text[])
        ${withKey(sql, first)} ${withKey(sql, second)} ${withKey(sql, third)}
        and ${words.length > 0}::boolean limit ${most}),
    numbers as materialized (${digits === null ? sql`select 0 as id where false` : withDigits(sql, digits, most)}),
    beginning as (
      select r.id, r.name from unnest(${[...words]}::text[], ${patterns}::text[]) w(word, pattern)
        cross join lateral (select array_remove(${patterns}::text[], w.pattern) as others offset 0) o
        cross join lateral (
          select c.id, c.search_name as name from contact c
          where ${behind(sql, page)} and c.search_name collate "C" >= w.word and c.search_name collate "C" < w.word || U&'\\+10FFFF'
            and c.search_text like all(o.others)
          order by c.search_name collate "C", c.id limit ${skip + limit + 1}) r),
    found as (
      select id, name from inside union select id, name from beginning
      union select c.id, c.search_name from numbers n join contact c on c.id = n.id where ${behind(sql, page)})`
}

/** A word that leads through the index; there is an index for one, and not for all of a list. */
function withKey(sql: postgres.Sql, key: string | undefined): SqlFragment {
  return key === undefined ? sql`` : sql`and substr(c.search_text, 2) like ${key}`
}

function withDigits(sql: postgres.Sql, digits: string, most: number): SqlFragment {
  return sql`
    select distinct i.contact_id as id from (
      select i.contact_id from contact_identity i where i.value like ${`%${digits}%`} and i.kind in ('pn', 'former') limit ${2 * most}) i
    limit ${most}`
}

/** The contacts there are from the cursor on. */
function behind(sql: postgres.Sql, { bounds: { after }, withGroups }: ContactListPage): SqlFragment {
  return sql`c.merged_into is null ${withGroups ? sql`` : sql`and not c.is_group`}
    ${after ? sql`and (c.search_name collate "C", c.id) > (${after.text}, ${after.id})` : sql``}`
}

function hasNumber(sql: postgres.Sql, digits: string | null): SqlFragment {
  return sql`c.id in (select i.contact_id from contact_identity i where i.kind in ('pn', 'former') and i.value like ${`%${digits ?? ''}%`})`
}

/** Of who has more numbers than stand in the list (`+` at the end): looked up one by one, as a mere `exists` would read all there are. */
function isAmongMore(sql: postgres.Sql, digits: string): SqlFragment {
  return sql`right(w.search_digits, 1) = '+' and coalesce((select true from contact_identity i
    where i.contact_id = w.id and i.kind in ('pn', 'former') and i.value like ${`%${digits}%`} limit 1), false)`
}

/** An index of letters is read as a bitmap; what is looked up besides is looked up one by one, a stretch in its order. */
export const LETTER_INDEX_PLAN = (
  sql: postgres.Sql,
) => sql`select set_config('plan_cache_mode', 'force_custom_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`
