// Contacts by name, found by any part of a name, an e-mail, or any number they were ever known by.
import { type Contact, LIMITS, type QueryParams, type ResponseBody } from '@balcao/contract'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { parsePageBounds, parseSearchText, toPage } from '../../platform/http/paging.ts'
import { listChangedContacts } from './changed.ts'
import { findContactsToChoose } from './choose.ts'
import { loadContacts } from './present.ts'
import { countFoundContacts, findContactPage, listContactPage } from './search.ts'
import { countContacts } from './tally.ts'

export { contactSearchSql } from './search.ts'

/**
 * A page of contacts in the order of their names without accents (spec 1 §7). Searching needs three characters. `count`: all there
 * are (decisions §22); of a search as many as it finds, up to `LIMITS.counted`.
 */
export async function listContacts(
  db: Db,
  query: QueryParams<'GET /contacts'>,
): Promise<ResponseBody<'GET /contacts'>> {
  if (query.changedSince !== undefined) return listChangedContacts(db, query.changedSince, query.cursor)
  const bounds = parsePageBounds(query, LIMITS.rowsPage, 1000)
  const text = parseSearchText('searchParam', query.searchParam)
  const withGroups = query.ignoreGroup !== 'true'
  if (text !== null && query.order === 'match') {
    if (bounds.after) throw createFieldError('cursor', 'call.cursor')
    const { ids, hasMore } = toPage(await findContactsToChoose(db, text, { bounds, withGroups }), bounds.limit)
    return { contacts: await loadContacts(db, ids), hasMore, nextCursor: null }
  }
  const isCounted = query.count !== 'false'
  const [found, total] = await Promise.all([
    text === null
      ? listContactPage(db, { bounds, withGroups })
      : findContactPage(db, text, { bounds, withGroups }, isCounted),
    text === null && isCounted ? countContacts(db, withGroups) : null,
  ])
  const { ids, ...page } = toPage(found.rows, bounds.limit, row => row.name)
  if (!isCounted) return { contacts: await loadContacts(db, ids), ...page }
  const isAll = !page.hasMore && bounds.skip === 0 && !bounds.after
  const [contacts, count] = await Promise.all([
    loadContacts(db, ids),
    total ?? found.count ?? (text === null || isAll ? ids.length : countFoundContacts(db, text, withGroups)),
  ])
  return { contacts, count, ...page }
}

/** How many contacts there are; of a search as many as it finds, up to `LIMITS.counted`. */
export async function countContactsFound(
  db: Db,
  query: QueryParams<'GET /contacts/count'>,
): Promise<ResponseBody<'GET /contacts/count'>> {
  const text = parseSearchText('searchParam', query.searchParam)
  const withGroups = query.ignoreGroup !== 'true'
  return { count: await (text === null ? countContacts(db, withGroups) : countFoundContacts(db, text, withGroups)) }
}

/** One contact; one that was merged into another answers as that other. Throws `ERR_NO_CONTACT_FOUND`. */
export async function getContact(db: Db | Tx, id: number): Promise<Contact> {
  const [row] = await getSql(db)<{ id: number }[]>`
    select coalesce(merged_into, id) as id from contact where id = ${id}`
  const [contact] = row ? await loadContacts(db, [row.id]) : []
  if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
  return contact
}
