// Who waits too long is given to somebody (decisions §5 `queueCron`, `userCron`, `intervalCron`; decisions-2 §22 "Idle tickets").

import type { Settings } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { writeAutomaticMessage } from '../messages/automatic.ts'
import { composeLine } from '../messages/system-lines.ts'
import { pickNextAgent, recordTurn } from '../queues/agent-turns.ts'
import { applyTicketPlan, NOW } from '../tickets/change.ts'
import { lockAnyTicket } from '../tickets/lock.ts'
import { lockAssignee, resolveAssignee } from '../users/assignee.ts'
import { type Clock, PAGE, processDue, type SweepContext, type SweepOutcome } from './process-due.ts'

/**
 * A ticket that has waited `intervalCron` minutes in its queue goes `open` to the person `userCron`, there or not, or with `queueCron` to
 * the next of its queue's turn who is online and within hours; with nobody there it waits on. A person who may not have the ticket
 * (without its queue, inactive without a substitute) counts as nobody named. It waits from when it came to wait there, whatever the customer writes meanwhile:
 * who asks again is not made to wait longer. Groups are left alone, as by everything automatic (decisions-2 §8).
 */
export async function assignIdle(sweeping: SweepContext, clock: Clock = () => new Date()): Promise<number> {
  const settings = await readSettings(sweeping.db)
  if (!isOn(settings)) return 0
  let assigned = 0
  for (const queueId of await queuesDue(sweeping, longBefore(clock(), settings)))
    assigned += await assignIdleOfQueue(sweeping, queueId, clock)
  return assigned
}

/** The queues in which somebody has waited long enough, null for none: one look, however many queues there are. */
async function queuesDue({ db }: SweepContext, longAgo: string): Promise<(number | null)[]> {
  const rows = await getSql(db)<{ id: number }[]>`
    select q.id from (select 0 as id union all select id from queue) q cross join lateral (
      select 1 from ticket_span s join ticket t on t.id = s.ticket_id
      where coalesce(s.queue_id, 0) = q.id and s.ended_at is null and s.status = 'pending' and s.begun_at <= ${longAgo}
        and t.status = 'pending' and not t.is_group
      limit 1) waits order by q.id`
  return toIds(rows).map(id => (id === 0 ? null : id))
}

function longBefore(now: Date, { intervalCron }: Settings): string {
  return new Date(now.getTime() - intervalCron * 60_000).toISOString()
}

function isOn({ queueCron, userCron }: Settings): boolean {
  return queueCron || userCron !== null
}

async function assignIdleOfQueue(sweeping: SweepContext, queueId: number | null, clock: Clock): Promise<number> {
  const { db } = sweeping
  let settings = await readSettings(db)
  let longAgo = ''
  return processDue(
    sweeping,
    async left => {
      settings = await readSettings(db)
      longAgo = longBefore(clock(), settings)
      if (!isOn(settings) || (queueId === null && settings.userCron === null)) return []
      return getSql(db)<{ id: number }[]>`
        select t.id from ticket_span s join ticket t on t.id = s.ticket_id
        where coalesce(s.queue_id, 0) = ${queueId ?? 0} and s.ended_at is null and s.status = 'pending' and s.begun_at <= ${longAgo}
          and t.status = 'pending' and not t.is_group and t.id <> all(${[...left]}::int[])
        order by s.begun_at limit ${PAGE}`
    },
    (tx, ticketId) => giveOne(tx, { ticketId, queueId, settings, longAgo, now: clock() }),
  )
}

interface Giving {
  readonly ticketId: number
  readonly queueId: number | null
  readonly settings: Settings
  readonly longAgo: string
  readonly now: Date
}

/** Queue, person, ticket: locked in this order, and nobody is waited for who could wait for us. */
async function giveOne(tx: Tx, { ticketId, queueId, settings, longAgo, now }: Giving): Promise<SweepOutcome> {
  const sql = getSql(tx)
  const named = settings.userCron === null ? null : await resolveAssignee(tx, settings.userCron, queueId, settings)
  const turn = named || queueId === null || !settings.queueCron ? null : await pickNextAgent(tx, queueId, settings, now)
  const person = named ?? (turn === null ? null : await lockAssignee(tx, turn, queueId, settings))
  if (!person) return 'stop'
  const [waiting] = await sql<{ id: number; mayTell: boolean }[]>`
    select t.id, c.resposta_automatica as "mayTell" from ticket t join contact c on c.id = t.contact_id
      join ticket_span s on s.ticket_id = t.id and s.ended_at is null and s.begun_at <= ${longAgo}
    where t.id = ${ticketId} and t.status = 'pending' and t.queue_id is not distinct from ${queueId} for update of t skip locked`
  if (!waiting) return 'left'
  const ticket = await lockAnyTicket(tx, ticketId)
  const { timezone, mensagemTransfer } = settings
  const text = waiting.mayTell && queueId !== null ? mensagemTransfer : ''
  await applyTicketPlan(tx, null, ticket, {
    patch: { status: 'open', userId: person.id, acceptedAt: NOW, unread: true },
    line: composeLine('given', { to: person.name }),
    log: 'ticket.give',
    also: async inTx => {
      await writeAutomaticMessage(inTx, {
        ticketId,
        text,
        timezone,
        words: { user: person.name },
        ticketToldLater: true,
        unhurried: true,
      })
    },
  })
  if (turn !== null && queueId !== null) await recordTurn(tx, queueId, turn)
  return 'done'
}
