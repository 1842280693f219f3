// Conversations in which nobody says anything more (decisions §5 `closeCron`, `intervalClose`; spec 2 §4 "Settings interplay").

import { getWeekday, type Settings, toWallClock } from '@balcao/contract'
import type postgres from 'postgres'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { SqlFragment } from '../../policy/access/visible-tickets.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { composeLine } from '../messages/system-lines.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { sendFarewell } from '../tickets/transitions.ts'
import { isWokenSql } from '../tickets/woken.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/**
 * An open ticket without a message for `intervalClose` minutes, whoever wrote the last one, is closed with the connection's farewell and
 * no survey. One that somebody took, was given or resumed since then counts from there: nobody finds closed what they have just begun. One
 * whose pause ended by its time has as many minutes of the company's hours: who chose 18h or the morning finds it when they are back.
 * Groups are left alone, as by everything automatic (decisions-2 §8); a contact without automatic answers gets no farewell.
 */
export async function closeIdle(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const { db } = sweeping
  let limits: IdleLimits = { now: '', longAgo: '', minutes: 0 }
  let { timezone } = await readSettings(db)
  return processDue(
    sweeping,
    async left => {
      const settings = await readSettings(db)
      const now = clock()
      if (!settings.closeCron || !shouldCloseIdle(settings, now)) return []
      timezone = settings.timezone
      const { intervalClose: minutes } = settings
      limits = { now: now.toISOString(), longAgo: new Date(now.getTime() - minutes * 60_000).toISOString(), minutes }
      const sql = getSql(db)
      return sql<{ id: number }[]>`
        select t.id from ticket t
        where t.status = 'open' and not t.is_group and t.last_message_at <= ${limits.longAgo}
          and (select ${isIdleSql(sql, limits)} from ticket_span s where s.ticket_id = t.id and s.ended_at is null)
          and t.id <> all(${[...left]}::int[])
        order by t.last_message_at limit ${PAGE}`
    },
    (tx, id) => closeOne(tx, id, limits, timezone),
  )
}

/** `longAgo`: so many minutes before `now`. */
interface IdleLimits {
  readonly now: string
  readonly longAgo: string
  readonly minutes: number
}

/** Whether a ticket `t` has been idle in its period `s`. Where the company is never open a pause that ended counts for a week. */
function isIdleSql(sql: postgres.Sql, { now, longAgo, minutes }: IdleLimits): SqlFragment {
  const interval = minutes * 60_000
  return sql`(s.begun_at <= ${longAgo} and (not ${isWokenSql(sql)} or s.begun_at <= ${now}::timestamptz - interval '7 days'
    or coalesce(work_at(${now}) - work_at(s.begun_at), ${interval}) >= ${interval}))`
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

async function closeOne(tx: Tx, id: number, limits: IdleLimits, timezone: string): Promise<SweepOutcome> {
  const sql = getSql(tx)
  const [idle] = await sql<{ user: string; mayTell: boolean }[]>`
    select coalesce(u.name, '') as user, c.resposta_automatica as "mayTell"
    from ticket t join ticket_span s on s.ticket_id = t.id and s.ended_at is null and ${isIdleSql(sql, limits)}
      join contact c on c.id = t.contact_id left join "user" u on u.id = t.user_id
    where t.id = ${id} and t.status = 'open' and t.last_message_at <= ${limits.longAgo} for update of t skip locked`
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
