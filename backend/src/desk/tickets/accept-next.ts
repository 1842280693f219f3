// The next conversation: whoever has been waiting longest is accepted. Several people who ask at once get one each.
import { canServeTicket, type Ticket } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { acceptLocked } from './accept.ts'
import { findLongestWaiting } from './list.ts'
import { lockAnyTicket } from './lock.ts'
import { loadTicketView } from './present.ts'

/** As many may ask at once and each gets another one. */
const CANDIDATES = 50
/** Each time somebody else was faster with all of them. */
const MOST_TRIES = 10

/**
 * Accepts the conversation that has been waiting longest, of what the person may see and nobody has; null where none waits. Its queue
 * is its own, else the only one of its connection that the person serves, else their only one; a ticket whose queue is none of these
 * is returned as it stands, still pending. Throws `ERR_BUSY` where others were faster again and again.
 */
export async function acceptNextTicket(
  parts: Parts,
  session: Session,
  queueIds: readonly number[] | undefined,
): Promise<Ticket | null> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const ids = await findLongestWaiting(parts.db, session, queueIds, CANDIDATES)
    if (ids.length === 0) return null
    const ticket = await change(parts, tx => acceptFirst(tx, session, ids))
    if (ticket) return ticket
  }
  throw new AppError('ERR_BUSY')
}

/** Null where all of them have been taken meanwhile. */
async function acceptFirst(tx: Tx, session: Session, ids: readonly number[]): Promise<Ticket | null> {
  const { viewer, settings } = session
  // One that somebody holds just now is about to be taken, or has a message coming in: only where all are held it is waited for.
  const id = (await lockFirst(tx, viewer.id, ids)) ?? ids[0]
  if (id === undefined) return null
  const ticket = await lockAnyTicket(tx, id).catch(passOverMissing)
  if (!ticket) return null
  const isFree = ticket.status === 'pending' && (ticket.userId === null || ticket.userId === viewer.id)
  if (!isFree || !canServeTicket(viewer, ticket.facts, settings)) return null
  const queueId = ticket.queueId ?? (await findOnlyQueue(tx, session, ticket.whatsappId))
  if (queueId === null && (await hasQueueToChoose(tx, session))) return (await loadTicketView(tx, id)).ticket
  return acceptLocked(tx, session, ticket, queueId)
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
    order by created_at, id limit 1 for update skip locked`
  return row?.id
}

/** The one queue it can only be meant for; null where there are several, or none. */
async function findOnlyQueue(tx: Tx, { viewer }: Session, connectionId: number): Promise<number | null> {
  const rows = await getSql(tx)<{ id: number }[]>`
    select queue_id as id from whatsapp_queue where whatsapp_id = ${connectionId} order by queue_id`
  const ids = rows.map(({ id }) => id)
  const served = viewer.profile === 'admin' ? ids : ids.filter(id => viewer.queueIds.includes(id))
  const candidates = served.length > 0 ? served : viewer.queueIds
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

/** Who serves no queue accepts without one; an administrator may choose any. */
async function hasQueueToChoose(tx: Tx, { viewer }: Session): Promise<boolean> {
  if (viewer.profile !== 'admin') return viewer.queueIds.length > 0
  return (await getSql(tx)<{ id: number }[]>`select id from queue limit 1`).length > 0
}
