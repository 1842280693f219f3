// Quick answers by shortcut, found by shortcut or text.
import { type QueryParams, type QuickAnswer, type ResponseBody, stripSlash } from '@balcao/contract'
import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds } from '../../platform/database/ids.ts'
import { loadNamedPage } from '../../platform/http/paging.ts'
import { toMediaUrl } from '../messages/present.ts'
import { quickAnswers } from './table.ts'

/** A page of quick answers. */
export async function listQuickAnswers(
  db: Db,
  query: QueryParams<'GET /quickAnswers'>,
): Promise<ResponseBody<'GET /quickAnswers'>> {
  const { shortcut, message } = quickAnswers
  const filter = { ...query, searchParam: stripSlash(query.searchParam ?? '') }
  const options = { table: quickAnswers, by: shortcut, finds: [shortcut, message], load: loadQuickAnswers }
  const { rows, ...page } = await loadNamedPage(db, filter, options)
  return { quickAnswers: rows, ...page }
}

/** Quick answers by id, in the order of the ids given. */
export async function loadQuickAnswers(db: Db | Tx, ids: readonly number[]): Promise<QuickAnswer[]> {
  const rows = await db
    .select()
    .from(quickAnswers)
    .where(inArray(quickAnswers.id, [...ids]))
  return sortByIds(ids, rows).map(({ mediaId, createdAt, updatedAt, ...row }) => ({
    ...row,
    mediaUrl: mediaId === null ? null : toMediaUrl(mediaId),
  }))
}
