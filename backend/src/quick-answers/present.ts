// Quick answers in the form of the contract.
import type { QuickAnswer } from '@balcao/contract'
import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '../database/client.ts'
import { inOrderOf } from '../database/in-order.ts'
import { mediaUrl } from '../messages/present.ts'
import { quickAnswers } from './table.ts'

/** Quick answers by id, in the order of the ids given. */
export async function loadQuickAnswers(db: Db | Tx, ids: readonly number[]): Promise<QuickAnswer[]> {
  const rows = await db
    .select()
    .from(quickAnswers)
    .where(inArray(quickAnswers.id, [...ids]))
  return inOrderOf(ids, rows).map(({ mediaId, createdAt, updatedAt, ...row }) => ({
    ...row,
    mediaUrl: mediaId === null ? null : mediaUrl(mediaId),
  }))
}
