// Quick answers by shortcut or by use, found by shortcut or text: those that a person may see.
import {
  LIMITS,
  type QueryParams,
  type QuickAnswer,
  type ResponseBody,
  stripSlash,
  type Viewer,
} from '@balcao/contract'
import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { sortByIds, toIds } from '../../platform/database/ids.ts'
import { loadNamedPage, matchTextSql, portugueseOrderSql } from '../../platform/http/paging.ts'
import { toMediaUrl } from '../messages/present.ts'
import { quickAnswers, quickAnswerUses } from './table.ts'

type Query = QueryParams<'GET /quickAnswers'>

/** A page of quick answers. */
export function listQuickAnswers(db: Db, viewer: Viewer, query: Query): Promise<ResponseBody<'GET /quickAnswers'>> {
  const filter = { ...query, searchParam: stripSlash(query.searchParam ?? '') }
  const where = and(visibleAnswersSql(viewer), inScope(query.scope))
  return query.mostUsed === 'true'
    ? listMostUsed(db, viewer, where, filter.searchParam)
    : listByShortcut(db, where, filter)
}

async function listByShortcut(db: Db, where: SQL | undefined, filter: Query) {
  const { shortcut, message } = quickAnswers
  const options = { table: quickAnswers, by: shortcut, finds: [shortcut, message], where, load: loadQuickAnswers }
  const { rows, ...page } = await loadNamedPage(db, filter, options)
  return { quickAnswers: rows, ...page }
}

/** The shortcut that was typed whole comes before all others. */
async function listMostUsed(db: Db, viewer: Viewer, where: SQL | undefined, typed: string) {
  const { id, shortcut, message } = quickAnswers
  const found = and(where, typed === '' ? undefined : or(matchTextSql(shortcut, typed), matchTextSql(message, typed)))
  const own = and(eq(quickAnswerUses.quickAnswerId, id), eq(quickAnswerUses.userId, viewer.id))
  const rows = await db
    .select({ id })
    .from(quickAnswers)
    .leftJoin(quickAnswerUses, own)
    .where(found)
    .orderBy(
      desc(sql`f_norm(${shortcut}) = f_norm(${typed})`),
      desc(sql`coalesce(${quickAnswerUses.times}, 0)`),
      portugueseOrderSql(shortcut),
      id,
    )
    .limit(LIMITS.rowsPage)
  const shown = await loadQuickAnswers(db, toIds(rows))
  return { quickAnswers: shown, count: shown.length, hasMore: false, nextCursor: null }
}

/** `canSeeQuickAnswer` of the contract, as SQL. */
export function visibleAnswersSql({ id, profile, queueIds }: Viewer): SQL | undefined {
  const { userId, queueId } = quickAnswers
  const ofTheirs = or(isNull(queueId), inArray(queueId, [...queueIds]))
  return or(eq(userId, id), and(isNull(userId), profile === 'admin' ? undefined : ofTheirs))
}

function inScope(scope: string | undefined): SQL | undefined {
  const { userId, queueId } = quickAnswers
  if (scope === undefined) return undefined
  if (scope === 'own') return sql`${userId} is not null`
  return and(isNull(userId), scope === 'team' ? isNull(queueId) : eq(queueId, Number(scope)))
}

/** Quick answers by id, in the order of the ids given; whoever may see them. */
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
