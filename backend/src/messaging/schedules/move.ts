// Calendar, zone or limits changed: when sends go out is computed anew, with the change (decisions-2 §22 "Sends").
import { SETTINGS, type SettingKey, type Settings } from '@balcao/contract'
import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { wakeWaitingSends } from '../../desk/connections/wake-waiting-sends.ts'
import type { Tx } from '../../platform/database/client.ts'
import { appendEvent } from '../../platform/live/append.ts'
import { computeNextRun } from './run.ts'
import { schedules } from './table.ts'

/** What waits for an hour or the next day is looked at again, and next runs by the new clocks: sends are locked before schedules. */
export async function moveSends(tx: Tx, keys: readonly SettingKey[], settings: Settings): Promise<void> {
  const isClock = keys.some(key => SETTINGS[key].section === 'schedule')
  if (isClock || keys.includes('dailyCap')) await wakeWaitingSends(tx)
  if (isClock) await moveNextRuns(tx, settings)
}

/** Of those that recur; what is due already is due, and what goes out once is an instant. */
async function moveNextRuns(tx: Tx, settings: Settings): Promise<void> {
  const recurring = await tx
    .select()
    .from(schedules)
    .where(and(gt(schedules.nextRunAt, sql`now()`), ne(schedules.recurrence, 'once')))
    .orderBy(schedules.id)
    .for('update')
  for (const { id, nextRunAt, recurrence, rValue: RValue, sendTime: sendAt } of recurring) {
    const next = computeNextRun({ recurrence, RValue, sendAt }, settings)
    if (next === nextRunAt) continue
    const [changed] = await tx
      .update(schedules)
      .set({ nextRunAt: next, version: sql`${schedules.version} + 1` })
      .where(eq(schedules.id, id))
      .returning({ version: schedules.version })
    const version = changed?.version ?? 1
    await appendEvent(tx, { to: 'everyone' }, { event: 'agendamento', action: 'update', version, agendamentoId: id })
  }
}
