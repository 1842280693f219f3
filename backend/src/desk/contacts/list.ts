// Contacts by name, found by any part of a name, an e-mail, or any number they were ever known by.
import { type AnswerOf, type Contact, LIMITS, type QueryOf } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { needle, pageBounds, pageOf } from '../../platform/http/paging.ts'
import { loadContacts } from './present.ts'
import { countFound, found, listed } from './search.ts'
import { countContacts } from './tally.ts'

export { foundSql } from './search.ts'

/**
 * A page of contacts in the order of their names without accents (spec 1 §7). Searching needs three characters. `count`: all there
 * are (decisions §22), or all that a search finds.
 */
export async function listContacts(db: Db, query: QueryOf<'GET /contacts'>): Promise<AnswerOf<'GET /contacts'>> {
  const bounds = pageBounds(query, LIMITS.rowsPage, 1000)
  const text = needle('searchParam', query.searchParam)
  const withGroups = query.ignoreGroup !== 'true'
  const [rows, counted] = await Promise.all([
    text === null ? listed(db, { bounds, withGroups }) : found(db, text, { bounds, withGroups }),
    text === null ? countContacts(db, withGroups) : null,
  ])
  const { ids, ...page } = pageOf(rows, bounds.limit, row => row.name)
  const isAll = !page.hasMore && bounds.skip === 0 && !bounds.after
  const count = counted ?? (text === null || isAll ? ids.length : await countFound(db, text, withGroups))
  return { contacts: await loadContacts(db, ids), count, ...page }
}

/** One contact; one that was merged into another answers as that other. Throws `ERR_NO_CONTACT_FOUND`. */
export async function getContact(db: Db | Tx, id: number): Promise<Contact> {
  const [row] = await sqlOf(db)<{ id: number }[]>`
    select coalesce(merged_into, id) as id from contact where id = ${id}`
  const [contact] = row ? await loadContacts(db, [row.id]) : []
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  return contact
}
