import { sql } from 'drizzle-orm'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findQuickAnswer } from './save.ts'
import { quickAnswerUses } from './table.ts'

/** Counts that this person took the answer. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function countUse({ db }: Pick<Parts, 'db'>, session: Session, id: number): Promise<void> {
  const { userId, quickAnswerId, times } = quickAnswerUses
  await findQuickAnswer(db, session, id)
  await db
    .insert(quickAnswerUses)
    .values({ userId: session.viewer.id, quickAnswerId: id })
    .onConflictDoUpdate({ target: [userId, quickAnswerId], set: { times: sql`${times} + 1` } })
}
