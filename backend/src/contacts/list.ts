// Contacts by name, found by any part of a name, an e-mail, or any number they were ever known by.
import { type AnswerOf, type Contact, LIMITS, type QueryOf } from '@balcao/contract'
import type { Fragment } from '../access/visible-tickets.ts'
import type { Db, Tx } from '../database/client.ts'
import { idsOf } from '../database/ids.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { needle, type PageBounds, pageBounds, pageOf, pattern } from '../http/paging.ts'
import { loadContacts } from './present.ts'
import { countContacts } from './tally.ts'

/** From so many on, the page is found sooner by going through the names than by sorting what the search finds. */
const MANY = 2000

/**
 * A page of contacts in the order of their names without accents (spec 1 §7). Searching needs three characters. `count`: all there
 * are (decisions §22); of a search how many came so far.
 */
export async function listContacts(db: Db, query: QueryOf<'GET /contacts'>): Promise<AnswerOf<'GET /contacts'>> {
  const bounds = pageBounds(query, LIMITS.rowsPage, 1000)
  const text = needle('searchParam', query.searchParam)
  const withGroups = query.ignoreGroup !== 'true'
  const rows = await rowsOf(db, bounds, withGroups, text)
  const { ids, ...page } = pageOf(rows, bounds.limit, row => row.name)
  const count = text === null ? await countContacts(db, withGroups) : bounds.skip + ids.length
  return { contacts: await loadContacts(db, ids), count, ...page }
}

interface Place {
  readonly id: number
  readonly name: string
}

async function rowsOf(db: Db, bounds: PageBounds, withGroups: boolean, text: string | null): Promise<readonly Place[]> {
  const sql = sqlOf(db)
  const { after, skip, limit } = bounds
  const page = (found: Fragment) => sql<Place[]>`
    select c.id, c.search_name as name from contact c
    where c.merged_into is null and ${found}
      ${withGroups ? sql`` : sql`and not c.is_group`}
      ${after ? sql`and (c.search_name collate "C", c.id) > (${after.text}, ${after.id})` : sql``}
    order by c.search_name collate "C", c.id offset ${skip} limit ${limit + 1}`
  if (text === null) return page(sql`true`)
  const ids = idsOf(await sql<{ id: number }[]>`${foundSql(sql, text)} limit ${MANY}`)
  if (ids.length < MANY) return page(sql`c.id = any(${ids}::int[])`)
  return page(sql`(
    c.search_name like f_norm(${pattern(text)}) escape '!'
    or c.email <> '' and f_norm(c.email) like f_norm(${pattern(text)}) escape '!'
    or ${digitsIn(text) !== null}::boolean and exists (select 1 from contact_identity i
      where i.contact_id = c.id and i.kind in ('pn', 'former') and i.value like ${`%${digitsIn(text) ?? ''}%`}))`)
}

/** The contacts in whose name, e-mail or numbers a text stands; some more than once. */
export function foundSql(sql: ReturnType<typeof sqlOf>, text: string): Fragment {
  const digits = digitsIn(text)
  const like = pattern(text)
  return sql`
    select o.id from contact o where o.search_name like f_norm(${like}) escape '!'
    union all select o.id from contact o where o.email <> '' and f_norm(o.email) like f_norm(${like}) escape '!'
    ${
      digits === null
        ? sql``
        : sql`union all select i.contact_id from contact_identity i where i.kind in ('pn', 'former') and i.value like ${`%${digits}%`}`
    }`
}

/** What is looked for in numbers; null where it is too short for them. */
function digitsIn(text: string): string | null {
  const digits = text.replace(/\D/g, '')
  return digits.length >= LIMITS.searchMinimum ? digits : null
}

/** One contact; one that was merged into another answers as that other. Throws `ERR_NO_CONTACT_FOUND`. */
export async function getContact(db: Db | Tx, id: number): Promise<Contact> {
  const [row] = await sqlOf(db)<{ id: number }[]>`
    select coalesce(merged_into, id) as id from contact where id = ${id}`
  const [contact] = row ? await loadContacts(db, [row.id]) : []
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  return contact
}
