// Contacts by name, found by any part of a name or of any number they were ever known by.
import { type AnswerOf, type Contact, LIMITS, type QueryOf } from '@balcao/contract'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { needle, pageBounds, pageOf, pattern } from '../http/paging.ts'
import { loadContacts } from './present.ts'

/** A page of contacts (spec 1 §7). Searching needs three characters. `count`: how many rows came so far. */
export async function listContacts(db: Db, query: QueryOf<'GET /contacts'>): Promise<AnswerOf<'GET /contacts'>> {
  const { after, skip, limit } = pageBounds(query, LIMITS.rowsPage, 1000)
  const text = needle('searchParam', query.searchParam)
  const digits = (text ?? '').replace(/\D/g, '')
  const sql = sqlOf(db)
  const rows = await sql<{ id: number; name: string }[]>`
    select c.id, c.name from contact c
    where c.merged_into is null
      ${query.ignoreGroup === 'true' ? sql`and not c.is_group` : sql``}
      ${after ? sql`and (c.name, c.id) > (${after.text}, ${after.id})` : sql``}
      ${
        text === null
          ? sql``
          : sql`and c.id in (
            select o.id from contact o where o.search_name like f_norm(${pattern(text)}) escape '!'
            union select i.contact_id from contact_identity i
              where ${digits.length >= 3}::boolean and i.value like ${pattern(digits)} escape '!')`
      }
    order by c.name, c.id offset ${skip} limit ${limit + 1}`
  const { ids, ...page } = pageOf(rows, limit, row => row.name)
  return { contacts: await loadContacts(db, ids), count: skip + ids.length, ...page }
}

/** One contact; one that was merged into another answers as that other. Throws `ERR_NO_CONTACT_FOUND`. */
export async function getContact(db: Db | Tx, id: number): Promise<Contact> {
  const [row] = await sqlOf(db)<{ id: number }[]>`
    select coalesce(merged_into, id) as id from contact where id = ${id}`
  const [contact] = row ? await loadContacts(db, [row.id]) : []
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  return contact
}
