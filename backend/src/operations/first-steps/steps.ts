// How far a new company has come: each step is done when what it names is there.
import { FIRST_STEPS, type FirstStep, type FirstSteps, type RequestBody, SETTINGS } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { firstSteps } from './table.ts'
import { findUnusedRows } from './unused-rows.ts'

/** The steps, in their order, and the preset. Once all are done they are over, whatever is undone later. */
export async function loadFirstSteps(db: Db): Promise<FirstSteps> {
  const [row] = await db.select().from(firstSteps)
  const isPutAway = row !== undefined && row.overAt !== null
  const done = await listDone(db, isPutAway)
  const isFinished = done.length === FIRST_STEPS.length
  if (isFinished && !isPutAway) await store(db, { overAt: toInstant(true) })
  return {
    done,
    isOver: isPutAway || isFinished,
    trade: row?.trade ?? null,
    preset: row ? (await findUnusedRows(db, row.rows)).length : 0,
  }
}

export async function changeFirstSteps(db: Db, change: RequestBody<'PUT /first-steps'>): Promise<FirstSteps> {
  const { isOver, hoursChecked } = change
  if (isOver !== undefined) await store(db, { overAt: toInstant(isOver) })
  if (hoursChecked !== undefined) await store(db, { hoursCheckedAt: toInstant(hoursChecked) })
  return loadFirstSteps(db)
}

function toInstant(is: boolean): string | null {
  return is ? new Date().toISOString() : null
}

async function store(db: Db, set: Partial<Pick<typeof firstSteps.$inferInsert, 'overAt' | 'hoursCheckedAt'>>) {
  await db.insert(firstSteps).values(set).onConflictDoUpdate({ target: firstSteps.id, set })
}

/** What the hours are made of; the first start stores none of it. */
const HOURS = Object.entries(SETTINGS).flatMap(([key, { section, kind }]) =>
  section === 'schedule' && (kind === 'toggle' || kind === 'time') ? [key] : [],
)

/** Whoever has put them away is asked for no messages: where nobody ever answered one, looking for it reads them all. */
async function listDone(db: Db, isPutAway: boolean): Promise<FirstStep[]> {
  const [row] = await getSql(db)<Record<FirstStep, boolean | null>[]>`
    select exists (select from whatsapp where deleted_at is null and (status = 'CONNECTED' or known_number is not null)) as connection,
      exists (select from queue) as queues,
      exists (select from "user" where active and deleted_at is null and id <> 1) as people,
      (exists (select from whatsapp where deleted_at is null and (greeting_message <> '' or greeting_bot_message <> ''))
        or exists (select from queue where greeting_message <> '')) as greeting,
      (exists (select from first_steps where hours_checked_at is not null)
        or exists (select from setting where key = any(${HOURS}::text[]))) as hours,
      ${isPutAway}::boolean or (exists (select from message where not from_me)
        and exists (select from message where from_me and user_id is not null)) as message`
  return FIRST_STEPS.filter(step => row?.[step])
}
