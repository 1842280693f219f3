import { getSql } from '../../platform/database/raw.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findQuickAnswer } from './save.ts'

/** Counts that this person took the answer. Throws `ERR_NO_QUICK_ANSWER_FOUND`. */
export async function countUse({ db }: Pick<Parts, 'db'>, session: Session, id: number): Promise<void> {
  await findQuickAnswer(db, session, id)
  // Held, so that one deleted meanwhile is not counted instead of failing.
  await getSql(db)`
    insert into quick_answer_use (user_id, quick_answer_id)
    select ${session.viewer.id}, id from quick_answer where id = ${id} for key share
    on conflict (user_id, quick_answer_id) do update set times = quick_answer_use.times + 1`
}
