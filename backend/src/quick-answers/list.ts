// Quick answers by shortcut, found by shortcut or text.
import { type AnswerOf, LIMITS, type QueryOf, type QuickAnswer } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import { cursorAfter, pageBounds } from '../http/paging.ts'
import { pattern } from '../tickets/search.ts'
import { loadQuickAnswers } from './present.ts'

/** A page of quick answers; those whose shortcut begins with the text come first while typing `/…`. */
export async function listQuickAnswers(
  db: Db,
  query: QueryOf<'GET /quickAnswers'>,
): Promise<AnswerOf<'GET /quickAnswers'>> {
  const { after, skip, limit } = pageBounds(query, LIMITS.rowsPage, 2000)
  const search = (query.searchParam ?? '').trim().replace(/^\//, '')
  const sql = sqlOf(db)
  const matching =
    search === ''
      ? sql`true`
      : sql`(f_norm(shortcut) like f_norm(${pattern(search)}) escape '!'
    or f_norm(message) like f_norm(${pattern(search)}) escape '!')`
  const rows = await sql<{ id: number; shortcut: string }[]>`
    select id, shortcut from quick_answer where ${matching}
      ${after ? sql`and (shortcut, id) > (${after.text}, ${after.id})` : sql``}
    order by shortcut, id offset ${skip} limit ${limit + 1}`
  const [total] = await sql<{ n: number }[]>`select count(*)::int as n from quick_answer where ${matching}`
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = page.at(-1)
  return {
    quickAnswers: await loadQuickAnswers(
      db,
      page.map(row => row.id),
    ),
    hasMore,
    count: total?.n ?? 0,
    nextCursor: hasMore && last ? cursorAfter(last.shortcut, last.id) : null,
  }
}

/** One quick answer. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function getQuickAnswer(db: Db, id: number): Promise<QuickAnswer> {
  const [quickAnswer] = await loadQuickAnswers(db, [id])
  if (!quickAnswer) throw new AppError('ERR_NO_QUICK_ANSWER_FOUND')
  return quickAnswer
}
