// Conversations in which nobody says anything more (decisions §5 `closeCron`, `intervalClose`; spec 2 §4 "Settings interplay").

import { getWeekday, type Settings, toWallClock } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { composeLine } from '../messages/system-lines.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { sendFarewell } from '../tickets/transitions.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/**
 * An open ticket without a message for `intervalClose` minutes, whoever wrote the last one, is closed with the connection's farewell and
 * no survey. One that somebody took, was given or resumed since then counts from there: nobody finds closed what they have just begun.
 * Groups are left alone, as by everything automatic (decisions-2 §8); a contact without automatic answers gets no farewell.
 */
export async function closeIdle(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let longAgo = ''
  let { timezone } = await readSettings(db)
  return processDue(
    sweeping,
    async left => {
      const settings = await readSettings(db)
      const now = clock()
      if (!settings.closeCron || !shouldCloseIdle(settings, now)) return []
      timezone = settings.timezone
      longAgo = new Date(now.getTime() - settings.intervalClose * 60_000).toISOString()
      return getSql(db)<{ id: number }[]>`
        select t.id from ticket t
        where t.status = 'open' and not t.is_group and t.last_message_at <= ${longAgo}
          and (select s.begun_at from ticket_span s where s.ticket_id = t.id and s.ended_at is null) <= ${longAgo}
          and t.id <> all(${[...left]}::int[])
        order by t.last_message_at limit ${PAGE}`
    },
    (tx, id) => closeOne(tx, id, longAgo, timezone),
  )
}

const MONDAY = 1
const FRIDAY = 5
const SATURDAY = 6
const SUNDAY = 0

/**
 * Whether idle tickets are closed at an instant, by the company's clocks: "Auto close is not done on weekend days left unchecked, and
 * tickets close on Monday after 10:00 and on Friday before 19:00". So never on a Saturday or Sunday that is no working day; on Mondays
 * from 10:00 on, so that who wrote at the weekend is answered first; on Fridays until 19:00 and not after; on the other days, and on a
 * Saturday or Sunday that is one, round the clock. Holidays and opening hours change nothing.
 */
export function shouldCloseIdle(
  { timezone, saturday, sunday }: Pick<Settings, 'timezone' | 'saturday' | 'sunday'>,
  now: Date,
): boolean {
  const clock = toWallClock(now, timezone)
  switch (getWeekday(clock)) {
    case SATURDAY:
      return saturday
    case SUNDAY:
      return sunday
    case MONDAY:
      return clock.hour >= 10
    case FRIDAY:
      return clock.hour < 19
    default:
      return true
  }
}

async function closeOne(tx: Tx, id: number, longAgo: string, timezone: string): Promise<SweepOutcome> {
  const [idle] = await getSql(tx)<{ user: string; mayTell: boolean }[]>`
    select coalesce(u.name, '') as user, c.resposta_automatica as "mayTell"
    from ticket t join ticket_span s on s.ticket_id = t.id and s.ended_at is null and s.begun_at <= ${longAgo}
      join contact c on c.id = t.contact_id left join "user" u on u.id = t.user_id
    where t.id = ${id} and t.status = 'open' and t.last_message_at <= ${longAgo} for update of t skip locked`
  if (!idle) return 'left'
  await applyTicketPlan(tx, null, await lockAnyTicket(tx, id), {
    patch: { status: 'closed', closedAt: NOW },
    line: composeLine('idle'),
    log: 'ticket.idle',
    also: async (inTx, ticket) => {
      if (idle.mayTell) await sendFarewell(inTx, ticket, { timezone, words: { user: idle.user } })
    },
  })
  return 'done'
}
