// Conversations that were paused until now.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { publishTicketEvents } from '../tickets/present.ts'
import { wakeTicket } from '../tickets/wake.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/** Wakes what was paused until this minute or before, the longest due first, in hours or out of them (docs/decisions/0310). */
export async function wakePaused(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let settings = await readSettings(db)
  let now = ''
  return processDue(
    sweeping,
    async left => {
      settings = await readSettings(db)
      now = clock().toISOString()
      return getSql(db)<{ id: number }[]>`
        select t.id from ticket t
        where t.status = 'paused' and t.pause_until <= ${now} and t.id <> all(${[...left]}::int[])
        order by t.pause_until limit ${PAGE}`
    },
    (tx, id) => wakeOne(tx, id, now, settings),
  )
}

async function wakeOne(
  tx: Tx,
  id: number,
  now: string,
  settings: Parameters<typeof wakeTicket>[3],
): Promise<SweepOutcome> {
  const [due] = await getSql(tx)<{ pausedBy: number }[]>`
    select coalesce(paused_by, 0) as "pausedBy" from ticket
    where id = ${id} and status = 'paused' and pause_until <= ${now} for update skip locked`
  if (!due) return 'left'
  // It stands where what is new stands, however old its last words are, and says why until somebody writes.
  await getSql(tx)`
    update ticket set last_message_at = woken.at, pause_until = woken.at, paused_by = null
    from (select greatest(last_message_at, date_trunc('second', ${now}::timestamptz)) as at from ticket where id = ${id}) woken
    where id = ${id}`
  const before = await wakeTicket(tx, id, due.pausedBy, settings)
  await publishTicketEvents(tx, [{ ticketId: id, action: 'update', before }])
  return 'done'
}
