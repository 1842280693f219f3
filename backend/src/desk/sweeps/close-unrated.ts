// Surveys that nobody answers (decisions-2 §11, `closeNpsInterval`).

import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { composeLine } from '../messages/system-lines.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/** A ticket that has stood in `nps` for `closeNpsInterval` minutes is closed unrated, without a word. */
export async function closeUnrated(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let longAgo = ''
  return processDue(
    sweeping,
    async left => {
      const { closeNpsInterval } = await readSettings(db)
      longAgo = new Date(clock().getTime() - closeNpsInterval * 60_000).toISOString()
      return getSql(db)<{ id: number }[]>`
        select t.id from ticket_span s join ticket t on t.id = s.ticket_id
        where s.ended_at is null and s.status = 'nps' and s.begun_at <= ${longAgo}
          and t.status = 'nps' and t.id <> all(${[...left]}::int[])
        order by s.begun_at limit ${PAGE}`
    },
    (tx, id) => closeOne(tx, id, longAgo),
  )
}

async function closeOne(tx: Tx, id: number, longAgo: string): Promise<SweepOutcome> {
  const [unrated] = await getSql(tx)`
    select 1 from ticket t join ticket_span s on s.ticket_id = t.id and s.ended_at is null and s.begun_at <= ${longAgo}
    where t.id = ${id} and t.status = 'nps' for update of t skip locked`
  if (!unrated) return 'left'
  await applyTicketPlan(tx, null, await lockAnyTicket(tx, id), {
    patch: { status: 'closed', closedAt: NOW },
    line: composeLine('unrated'),
    log: 'ticket.unrated',
  })
  return 'done'
}
