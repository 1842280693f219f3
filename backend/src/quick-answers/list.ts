// Quick answers by shortcut, found by shortcut or text.
import { type AnswerOf, LIMITS, type QueryOf, type QuickAnswer } from '@balcao/contract'
import { and, or } from 'drizzle-orm'
import type { Db } from '../database/client.ts'
import { AppError } from '../http/errors.ts'
import { behind, foundIn, pageBounds, pageOf } from '../http/paging.ts'
import { loadQuickAnswers } from './present.ts'
import { quickAnswers } from './table.ts'

/** A page of quick answers; those whose shortcut begins with the text come first while typing `/…`. */
export async function listQuickAnswers(
  db: Db,
  query: QueryOf<'GET /quickAnswers'>,
): Promise<AnswerOf<'GET /quickAnswers'>> {
  const bounds = pageBounds(query, LIMITS.rowsPage, 2000)
  const { id, shortcut, message } = quickAnswers
  const search = (query.searchParam ?? '').trim().replace(/^\//, '')
  const matching = search === '' ? undefined : or(foundIn(shortcut, search), foundIn(message, search))
  const rows = await db
    .select({ id, shortcut })
    .from(quickAnswers)
    .where(and(matching, behind(shortcut, id, bounds)))
    .orderBy(shortcut, id)
    .offset(bounds.skip)
    .limit(bounds.limit + 1)
  const { ids, ...page } = pageOf(rows, bounds.limit, row => row.shortcut)
  return {
    quickAnswers: await loadQuickAnswers(db, ids),
    count: await db.$count(quickAnswers, matching),
    ...page,
  }
}

/** One quick answer. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function getQuickAnswer(db: Db, id: number): Promise<QuickAnswer> {
  const [quickAnswer] = await loadQuickAnswers(db, [id])
  if (!quickAnswer) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
  return quickAnswer
}
