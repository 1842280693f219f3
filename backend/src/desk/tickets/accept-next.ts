// The next conversation: the first of those who wait is accepted, the pinned ones first, then by default who has been waiting longest. Several people who ask at once get one each.
import { canServeTicket, type Ticket } from '@balcao/contract'
import { findOnlyQueue } from '@balcao/contract/tickets/only-queue'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { acceptLocked } from './accept.ts'
import { findWaitingTickets, type WaitingChoice } from './list.ts'
import { lockAnyTicket } from './lock.ts'
import { loadTicketView } from './present.ts'

/** As many may ask at once and each gets another one without looking further. */
const CANDIDATES = 50

/**
 * Accepts the first conversation in the chosen order, of what the person may see and nobody has; null where none waits. Its queue
 * is its own, else the only one it can be meant for (`findOnlyQueue`); a ticket whose queue can be several is returned as it stands,
 * still pending. One that somebody holds just now is about to be taken, or has a message coming in: only where all are held the first
 * of them is waited for, and what was taken meanwhile is passed over.
 */
export async function acceptNextTicket(parts: Parts, session: Session, choice: WaitingChoice): Promise<Ticket | null> {
  const passed = new Set<number>()
  for (let most = CANDIDATES; ; most *= 2) {
    const found = await findWaitingTickets(parts.db, session, choice, most)
    const ids = found.filter(id => !passed.has(id))
    const [first] = ids
    if (first === undefined) return null
    const isEnd = found.length < most
    const { id, ticket } = await change(parts, tx => acceptFirst(tx, session, ids, isEnd ? first : null))
    if (ticket) return ticket
    if (id !== null) passed.add(id)
    if (isEnd) most /= 2
  }
}

/** `held`: which one is waited for where others have them all. No ticket: it is not to be had any more, or others have them all. */
async function acceptFirst(
  tx: Tx,
  session: Session,
  ids: readonly number[],
  held: number | null,
): Promise<{ id: number | null; ticket: Ticket | null }> {
  const { viewer, settings } = session
  const id = (await lockFirst(tx, viewer.id, ids)) ?? held
  const ticket = id === null ? null : await lockAnyTicket(tx, id).catch(passOverMissing)
  const isFree = ticket?.status === 'pending' && (ticket.userId === null || ticket.userId === viewer.id)
  if (!isFree || !canServeTicket(viewer, ticket.facts, settings)) return { id, ticket: null }
  const queueId = ticket.queueId ?? (await loadOnlyQueue(tx, session, ticket.whatsappId))
  const mustChoose = queueId === null && (await hasQueueToChoose(tx, session))
  return {
    id,
    ticket: mustChoose
      ? (await loadTicketView(tx, ticket.id)).ticket
      : await acceptLocked(tx, session, ticket, queueId),
  }
}

/** Deleted while it was waited for. */
function passOverMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'ERR_NO_TICKET_FOUND') return null
  throw error
}

async function lockFirst(tx: Tx, userId: number, ids: readonly number[]): Promise<number | undefined> {
  const [row] = await getSql(tx)<{ id: number }[]>`
    select id from ticket
    where id = any(${[...ids]}::int[]) and status = 'pending' and (user_id is null or user_id = ${userId})
    order by array_position(${[...ids]}::int[], id) limit 1 for update skip locked`
  return row?.id
}

/** Null where there are several, or none. */
async function loadOnlyQueue(tx: Tx, { viewer }: Session, connectionId: number): Promise<number | null> {
  const rows = await getSql(tx)<{ id: number; isOfConnection: boolean }[]>`
    select q.id, exists (select from whatsapp_queue w where w.queue_id = q.id and w.whatsapp_id = ${connectionId}) as "isOfConnection"
    from queue q order by q.id`
  const ofConnection = rows.filter(({ isOfConnection }) => isOfConnection)
  return findOnlyQueue(viewer, listIds(ofConnection), listIds(rows))
}

function listIds(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id)
}

/** Who serves no queue accepts without one; an administrator may choose any. */
async function hasQueueToChoose(tx: Tx, { viewer }: Session): Promise<boolean> {
  if (viewer.profile !== 'admin') return viewer.queueIds.length > 0
  return (await getSql(tx)<{ id: number }[]>`select id from queue limit 1`).length > 0
}
