// What every change of a ticket has in common: one transaction with the lock, the update, the line, the log and the event.
import { type PlainLogAction, type Ticket, type TicketStatus, TRANSITIONS, type Transition } from '@balcao/contract'
import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { isConnectionPresent } from '../connections/existing.ts'
import { type SystemLine, writeLine } from '../messages/system-lines.ts'
import { type LockedTicket, lockTicket, toLogReferences } from './lock.ts'
import { createOtherTicketError } from './other-open.ts'
import { loadTicketView, publishTicketEvents } from './present.ts'
import { tickets } from './table.ts'

export const NOW = sql<string>`now()`
/** The clock as it stands: a transaction's `now()` is of its beginning. */
export const CLOCK = sql<string>`clock_timestamp()`

/** The columns a command may set; what is left out stays. */
export interface TicketPatch {
  readonly status?: TicketStatus
  readonly userId?: number | null
  readonly queueId?: number | null
  readonly whatsappId?: number
  readonly pauseTag?: string | null
  readonly pauseUntil?: string | null
  readonly pausedBy?: number | null
  readonly acceptedAt?: typeof NOW | null
  readonly closedAt?: typeof NOW | null
  /** As in the table. */
  readonly menusShown?: number | null
  readonly menuShownAt?: typeof CLOCK
  readonly botMisses?: number
  readonly botTurns?: number
  readonly toldClosedAt?: typeof NOW
  /** Nobody has to read it. */
  readonly unreadMessages?: 0
  /** Something in it is new to whom it goes to. */
  readonly unread?: true
}

/** What a command makes of a locked ticket. `line` is the line in the conversation, `log` the entry in the activity log. */
export interface TicketPlan {
  readonly patch: TicketPatch
  readonly line?: SystemLine
  readonly log: PlainLogAction
  /** Why it is given away; who gets it is told. */
  readonly handedBecause?: string
  /** More to do in the same transaction, before the ticket's event. */
  readonly also?: (tx: Tx, ticket: LockedTicket) => Promise<void>
}

/**
 * Runs one change: check (by `plan`, under the lock) → do → emit. The answer is the ticket as it then is.
 * Throws `ERR_OTHER_OPEN_TICKET` when the contact has a live ticket where this one would be live.
 */
export async function changeTicket(
  parts: Parts,
  session: Session,
  id: number,
  plan: (ticket: LockedTicket, tx: Tx) => Promise<TicketPlan> | TicketPlan,
  lock = lockTicket,
): Promise<Ticket> {
  let where: { contactId: number; whatsappId: number } | undefined
  try {
    return await change(parts, async tx => {
      const ticket = await lock(tx, session, id)
      const planned = await plan(ticket, tx)
      where = { contactId: ticket.contactId, whatsappId: planned.patch.whatsappId ?? ticket.whatsappId }
      return applyTicketPlan(tx, session, ticket, planned)
    })
  } catch (error) {
    // Only the unique index over live tickets can refuse such a change.
    if (getSqlState(error) !== '23505' || !where) throw error
    throw await createOtherTicketError(parts.config, parts.db, session, { ...where, wanted: id })
  }
}

/**
 * Does what a plan says to a locked ticket and appends the events; `by` nobody it is done by the system. Throws `ERR_NO_WAPP_FOUND` where
 * it would be live on a deleted connection.
 */
export async function applyTicketPlan(
  tx: Tx,
  by: Session | null,
  ticket: LockedTicket,
  plan: TicketPlan,
): Promise<Ticket> {
  const { patch, line, log, also, handedBecause: why } = plan
  const begins =
    (ticket.status === 'closed' && (patch.status ?? 'closed') !== 'closed') || patch.whatsappId !== undefined
  if (begins && !(await isConnectionPresent(tx, patch.whatsappId ?? ticket.whatsappId)))
    throw new AppError('ERR_NO_WAPP_FOUND')
  await patchTicket(tx, ticket.id, patch)
  await also?.(tx, ticket)
  const userId = by?.viewer.id ?? null
  if (line) await writeLine(tx, ticket.id, userId, line)
  await writeLog(tx, { action: log, userId, ...toLogReferences({ ...ticket, ...patch }) })
  const handed = by && why !== undefined ? { handed: { by: by.name, why } } : {}
  const { facts: before, id: ticketId } = ticket
  await publishTicketEvents(tx, [{ ticketId, action: 'update', before, ...(by && { by: by.viewer.id }), ...handed }])
  return (await loadTicketView(tx, ticket.id)).ticket
}

/** Throws `ERR_INVALID_TRANSITION` unless the ticket stands where the transition begins. */
export function checkTransition(ticket: LockedTicket, transition: Transition): void {
  const from: readonly TicketStatus[] = TRANSITIONS[transition].from
  if (!from.includes(ticket.status))
    throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to: TRANSITIONS[transition].to })
}

/**
 * A person a ticket may be assigned to: active, and with its queue (administrators may have any ticket). Until the transaction ends
 * nobody takes that away: who does waits, or has done it before this looks (docs/decisions/0208). `has`: who has the ticket now, and
 * so needs no such care.
 */
export async function checkAssignee(
  tx: Tx,
  userId: number,
  queueId: number | null,
  has: number | null = null,
): Promise<{ name: string }> {
  // By itself: what the next statement sees is as new as the lock.
  if (has !== userId) await getSql(tx)`select 1 from "user" where id = ${userId} for share`
  const [row] = await getSql(tx)<{ name: string; fits: boolean }[]>`
    select u.name, (u.profile = 'admin' or ${queueId}::int is null
      or exists (select 1 from user_queue q where q.user_id = u.id and q.queue_id = ${queueId})) as fits
    from "user" u where u.id = ${userId} and u.active and u.deleted_at is null`
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  if (!row.fits) throw createFieldError('userId', 'call.notInQueue')
  return { name: row.name }
}

/** Who serves a ticket from now on: the person who asks; a program of the company names one. Throws `ERR_VALIDATION`, `ERR_NO_USER_FOUND`. */
export function resolveServing(
  { viewer }: Session,
  { userId }: { readonly userId?: number | null | undefined },
): number {
  const personId = toPersonId(viewer.id) ?? userId
  if (!personId) throw createFieldError('userId', 'call.person')
  if (isHidden(viewer, personId)) throw new AppError('ERR_NO_USER_FOUND')
  return personId
}

/** The name of a queue, which stays until the transaction ends. Throws `ERR_NO_QUEUE_FOUND`. */
export async function lockQueueName(tx: Tx, queueId: number): Promise<string> {
  const [row] = await getSql(tx)<{ name: string }[]>`select name from queue where id = ${queueId} for key share`
  if (!row) throw new AppError('ERR_NO_QUEUE_FOUND')
  return row.name
}

/** Sets columns of a locked ticket; its event is the caller's. */
export function patchTicket(tx: Tx, id: number, patch: TicketPatch): Promise<void> {
  return patchTickets(tx, [id], patch)
}

/** The same of several. */
export async function patchTickets(tx: Tx, ids: readonly number[], { unread, ...patch }: TicketPatch): Promise<void> {
  const { version, unreadMessages } = tickets
  await tx
    .update(tickets)
    .set({
      ...patch,
      // One that is opened again has not come back from a pause.
      ...(patch.status === 'closed' ? { pauseUntil: null } : {}),
      ...(unread ? { unreadMessages: sql`greatest(${unreadMessages}, 1)` } : {}),
      updatedAt: NOW,
      version: sql`${version} + 1`,
    })
    .where(inArray(tickets.id, [...ids]))
}
