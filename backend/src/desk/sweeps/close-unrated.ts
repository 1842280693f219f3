// Surveys that nobody answers (decisions-2 §11, `closeNpsInterval`).

import type { Tx } from '../../platform/database/client.ts'
import { sqlOf } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { composeLine } from '../messages/inside.ts'
import { carryOut, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { type Clock, goThrough, type Outcome, PAGE, type Sweeping } from './go-through.ts'

/** A ticket that has stood in `nps` for `closeNpsInterval` minutes is closed unrated, without a word. */
export async function closeUnrated(sweeping: Sweeping, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let longAgo = ''
  return goThrough(
    sweeping,
    async left => {
      const { closeNpsInterval } = await readSettings(db)
      longAgo = new Date(clock().getTime() - closeNpsInterval * 60_000).toISOString()
      return sqlOf(db)<{ id: number }[]>`
        select t.id from ticket_span s join ticket t on t.id = s.ticket_id
        where s.ended_at is null and s.status = 'nps' and s.begun_at <= ${longAgo}
          and t.status = 'nps' and t.id <> all(${[...left]}::int[])
        order by s.begun_at limit ${PAGE}`
    },
    (tx, id) => closeOne(tx, id, longAgo),
  )
}

async function closeOne(tx: Tx, id: number, longAgo: string): Promise<Outcome> {
  const [asked] = await sqlOf(tx)`
    select 1 from ticket t join ticket_span s on s.ticket_id = t.id and s.ended_at is null and s.begun_at <= ${longAgo}
    where t.id = ${id} and t.status = 'nps' for update of t skip locked`
  if (!asked) return 'left'
  await carryOut(tx, null, await lockAnyTicket(tx, id), {
    patch: { status: 'closed', closedAt: NOW },
    line: composeLine('unrated'),
    log: 'ticket.unrated',
  })
  return 'done'
}
