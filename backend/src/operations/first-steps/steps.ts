// How far a new company has come: each step is done when what it names is there.
import { FIRST_STEPS, type FirstStep, type FirstSteps } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { firstSteps } from './table.ts'
import { findUnusedRows } from './unused-rows.ts'

/** The steps, in their order, and the preset. */
export async function loadFirstSteps(db: Db): Promise<FirstSteps> {
  const [row] = await db.select().from(firstSteps)
  const isPutAway = row !== undefined && row.overAt !== null
  const done = await listDone(db, isPutAway)
  return {
    done,
    isOver: isPutAway || done.length === FIRST_STEPS.length,
    trade: row?.trade ?? null,
    preset: row ? (await findUnusedRows(db, row.rows)).length : 0,
  }
}

export async function endFirstSteps(db: Db, isOver: boolean): Promise<FirstSteps> {
  const overAt = isOver ? new Date().toISOString() : null
  await db.insert(firstSteps).values({ overAt }).onConflictDoUpdate({ target: firstSteps.id, set: { overAt } })
  return loadFirstSteps(db)
}

/** Looked for among so many messages: one that somebody answers stands among them, however many there are. */
const NEWEST = 50

async function listDone(db: Db, isPutAway: boolean): Promise<FirstStep[]> {
  const [row] = await getSql(db)<Record<FirstStep, boolean | null>[]>`
    select exists (select from whatsapp where deleted_at is null and status = 'CONNECTED') as connection,
      exists (select from queue) as queues,
      exists (select from "user" where active and deleted_at is null and id <> 1) as people,
      exists (select from whatsapp where deleted_at is null and (greeting_message <> '' or greeting_bot_message <> '')) as greeting,
      ${isPutAway}::boolean or (select bool_or(not from_me) and bool_or(from_me and user_id is not null)
        from (select from_me, user_id from message order by id desc limit ${NEWEST}) newest) is true as message`
  return FIRST_STEPS.filter(step => row?.[step])
}
