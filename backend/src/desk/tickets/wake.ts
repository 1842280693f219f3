// The end of a pause that ends by itself: the ticket goes back to whose it is, as something new, or waits in its queue.
import type { Settings, TicketFacts } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { writeLog } from '../../policy/log/write.ts'
import { composeLine, writeLine } from '../messages/system-lines.ts'
import { lockAssignee } from '../users/assignee.ts'
import { patchTicket } from './change.ts'
import { lockAnyTicket, toLogReferences } from './lock.ts'

type Sight = Pick<Settings, 'onlyAdminSeeEmptyQueue'>

/** Wakes those of these tickets whose pause an answer ends. Gives the facts of each before; the event is the caller's. */
export async function wakeAnswered(
  tx: Tx,
  ids: readonly number[],
  settings: Sight,
): Promise<ReadonlyMap<number, TicketFacts>> {
  const rows = await getSql(tx)<{ id: number; pausedBy: number }[]>`
    select id, coalesce(paused_by, 0) as "pausedBy" from ticket
    where id = any(${[...ids]}::int[]) and status = 'paused' and paused_by is not null order by id for update`
  const before = new Map<number, TicketFacts>()
  for (const { id, pausedBy } of rows) before.set(id, await wakeTicket(tx, id, pausedBy, settings))
  return before
}

/**
 * Gives a paused, locked ticket back to who has it, else to who paused it, else to its queue: who is inactive by now, or without the queue,
 * gets nothing. Gives its facts before.
 */
export async function wakeTicket(tx: Tx, id: number, pausedBy: number, settings: Sight): Promise<TicketFacts> {
  const ticket = await lockAnyTicket(tx, id)
  const { userId, queueId } = ticket
  const owner = userId === null ? null : await lockAssignee(tx, userId, queueId, settings)
  const person = owner ?? (pausedBy === userId ? null : await lockAssignee(tx, pausedBy, queueId, settings))
  await patchTicket(tx, id, {
    ...(person ? { status: 'open', userId: person.id } : { status: 'pending', userId: null, acceptedAt: null }),
    pauseTag: null,
    unread: true,
  })
  await writeLine(tx, id, null, person ? composeLine('woken', { to: person.name }) : composeLine('wokenWaiting'))
  await writeLog(tx, { action: 'ticket.wake', userId: null, ...toLogReferences(ticket) })
  return ticket.facts
}
