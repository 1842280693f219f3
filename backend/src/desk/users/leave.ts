// What becomes of live tickets whose person may not have them any more: each goes to a substitute or waits again in its queue
// (decisions §3, §4.5, decisions-2 §8). However many they are, it takes the same few statements.
import type { TicketReference } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { toIds } from '../../platform/database/ids.ts'
import { getSql } from '../../platform/database/raw.ts'
import { loadTicketPlaces, toTicketFacts } from '../../policy/access/ticket-facts.ts'
import { writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createSystemLine, writeLines } from '../messages/system-lines.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { publishTicketEvents } from '../tickets/present.ts'

export interface Substitute {
  readonly id: number
  readonly name: string
}

/** Where a ticket goes: to a person, back to where it waits, or nowhere. */
export type TicketDestination = Substitute | 'waits' | 'stays'

/**
 * Locks people whose rights or tickets change, before any ticket: who gives somebody a ticket locks the ticket and then looks at the
 * person under a lock that waits for this one (docs/decisions/0208).
 */
export async function lockUsers(tx: Tx, ids: readonly number[]): Promise<void> {
  await getSql(tx)`select 1 from "user" where id = any(${[...ids]}::int[]) order by id for no key update`
}

/** The live tickets a person serves or has paused, locked; `most` of them. What waits for a rating stays with whoever resolved it. */
export async function lockAssignedTickets(
  tx: Tx,
  userId: number,
  most: number | null = null,
): Promise<TicketReference[]> {
  const rows = await getSql(tx)<{ id: number }[]>`
    select id from ticket where user_id = ${userId} and status in ('pending', 'open', 'paused')
    order by id limit ${most}::int for update`
  // Read again: who had one of them before may have moved it meanwhile.
  const places = await loadTicketPlaces(tx, toIds(rows))
  return [...places.values()].filter(place => place.userId === userId && LIVE.has(place.status))
}

const LIVE = new Set(['pending', 'open', 'paused'])

/** How many went where. */
export interface ReassignedCounts {
  readonly toWait: number
  readonly toSubstitutes: number
}

/** Sends locked tickets on their ways. */
export async function reassignTickets(
  tx: Tx,
  session: Session,
  places: readonly TicketReference[],
  wayOf: (place: TicketReference) => TicketDestination,
): Promise<ReassignedCounts> {
  const going = places.flatMap(place => {
    const way = wayOf(place)
    return way === 'stays' ? [] : [{ place, to: way === 'waits' ? null : way }]
  })
  if (going.length === 0) return { toWait: 0, toSubstitutes: 0 }
  await getSql(tx)`
    update ticket t set user_id = g.user_id, status = case when g.user_id is null then 'pending' else 'open' end, pause_tag = null,
      accepted_at = case when g.user_id is not null then now() end, unread_messages = greatest(t.unread_messages, 1),
      updated_at = now(), version = t.version + 1
    from unnest(${going.map(({ place }) => place.id)}::int[], ${going.map(({ to }) => to?.id ?? null)}::int[]) as g(id, user_id)
    where t.id = g.id`
  const queues = await queueNames(tx, going)
  await writeLines(
    tx,
    session.viewer.id,
    going.map(({ place, to }) => {
      const queue = queues.get(place.queueId ?? 0) ?? ''
      const line = to
        ? createSystemLine(session, 'transferred', `transferiu o atendimento para ${to.name}, na fila ${queue}`, {
            queue,
            to: to.name,
          })
        : createSystemLine(session, 'returned', 'devolveu o atendimento para a espera')
      return { ticketId: place.id, line }
    }),
  )
  const by = session.viewer.id
  await writeLogs(
    tx,
    going.map(({ place, to }) => ({
      action: to ? ('ticket.transfer' as const) : ('ticket.return' as const),
      userId: by,
      ...toLogReferences(place),
    })),
  )
  const handed = { by: session.name, why: '' }
  const events = going.map(
    ({ place }) => ({ ticketId: place.id, action: 'update', before: toTicketFacts(place), by, handed }) as const,
  )
  await publishTicketEvents(tx, events)
  const toSubstitutes = going.filter(({ to }) => to !== null).length
  return { toSubstitutes, toWait: going.length - toSubstitutes }
}

async function queueNames(tx: Tx, going: readonly { place: TicketReference }[]): Promise<Map<number, string>> {
  const ids = [...new Set(going.flatMap(({ place }) => place.queueId ?? []))]
  const rows = await getSql(tx)<
    { id: number; name: string }[]
  >`select id, name from queue where id = any(${ids}::int[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Who takes somebody's tickets, by queue: only who is active and may have that queue's tickets. `transferring`: only those to whom
 * the tickets of now go along.
 */
export async function findSubstitutes(tx: Tx, userId: number, transferring: boolean): Promise<Map<number, Substitute>> {
  const rows = await getSql(tx)<{ queueId: number; id: number; name: string }[]>`
    select s.queue_id as "queueId", u.id, u.name from user_substitute s join "user" u on u.id = s.substitute_id
    where s.user_id = ${userId} and (s.transfer or not ${transferring}) and u.active and u.deleted_at is null
      and (u.profile = 'admin' or exists (select 1 from user_queue q where q.user_id = u.id and q.queue_id = s.queue_id))`
  return new Map(rows.map(({ queueId, id, name }) => [queueId, { id, name }]))
}

/** Tells of tickets whose person has another profile now: with `hierarchy` others see them than before. */
export async function publishOwnerChange(tx: Tx, places: readonly TicketReference[]): Promise<void> {
  const changes = places.map(place => ({ ticketId: place.id, action: 'update', before: toTicketFacts(place) }) as const)
  await publishTicketEvents(tx, changes)
}
