// Conversations with the bot in which the customer says nothing more (decisions-2 §9 `botIdle`).

import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { composeLine } from '../messages/system-lines.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/** A ticket with the bot, of whichever kind, in which nothing was said for `botIdle` minutes is closed without a word; 0: never. */
export async function closeBot(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let longAgo = ''
  return processDue(
    sweeping,
    async left => {
      const { botIdle } = await readSettings(db)
      if (botIdle === 0) return []
      longAgo = new Date(clock().getTime() - botIdle * 60_000).toISOString()
      return getSql(db)<{ id: number }[]>`
        select t.id from ticket t
        where t.status = 'bot' and not t.is_group and t.last_message_at <= ${longAgo}
          and (select s.begun_at from ticket_span s where s.ticket_id = t.id and s.ended_at is null) <= ${longAgo}
          and t.id <> all(${[...left]}::int[])
        order by t.last_message_at limit ${PAGE}`
    },
    (tx, id) => closeOne(tx, id, longAgo),
  )
}

async function closeOne(tx: Tx, id: number, longAgo: string): Promise<SweepOutcome> {
  const [silent] = await getSql(tx)`
    select 1 from ticket t join ticket_span s on s.ticket_id = t.id and s.ended_at is null and s.begun_at <= ${longAgo}
    where t.id = ${id} and t.status = 'bot' and t.last_message_at <= ${longAgo} for update of t skip locked`
  if (!silent) return 'left'
  await applyTicketPlan(tx, null, await lockAnyTicket(tx, id), {
    patch: { status: 'closed', closedAt: NOW },
    line: composeLine('botIdle'),
    log: 'ticket.botIdle',
  })
  return 'done'
}
