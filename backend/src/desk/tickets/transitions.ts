// From one status to another, and what goes with it (spec 1 §4, decisions §4). Accepting has a command of its own: two may want it.
import {
  formatSlashedDay,
  formatTimeOfDay,
  type RequestBody,
  type Ticket,
  type Transition,
  toWallClock,
} from '@balcao/contract'
import { MOST_PAUSED_MS } from '@balcao/contract/calendar/moments'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { connections } from '../connections/table.ts'
import { resolveMergedId } from '../contacts/merged-id.ts'
import { type AutomaticMessage, writeAutomaticMessage } from '../messages/automatic.ts'
import { createSystemLine, type SystemLine, writeComment } from '../messages/system-lines.ts'
import {
  changeTicket,
  checkAssignee,
  checkTransition,
  lockQueueName,
  NOW,
  resolveServing,
  type TicketPlan,
} from './change.ts'
import type { LockedTicket } from './lock.ts'
import { loadSurvey } from './survey.ts'

type TransitionRequest = Pick<
  RequestBody<'PUT /tickets/:id'>,
  'onlyClose' | 'pauseTag' | 'pauseMessage' | 'pauseUntil' | 'userId'
>

/**
 * Takes a ticket this way. Throws `ERR_INVALID_TRANSITION`; for a pause without a tag `ERR_VALIDATION`; for reopening
 * `ERR_OTHER_OPEN_TICKET` with the live one's id, `ERR_NO_QUEUE_FOUND` when its queue is gone, and `ERR_NO_CONTACT_FOUND` when its
 * contact was erased.
 */
export function moveTicket(
  parts: Parts,
  session: Session,
  id: number,
  transition: Exclude<Transition, 'accept'>,
  request: TransitionRequest,
): Promise<Ticket> {
  return changeTicket(parts, session, id, (ticket, tx) => {
    checkTransition(ticket, transition)
    return PLANS[transition](session, ticket, request, tx)
  })
}

/** Takes a ticket from the bot (spec 3 §4). Throws `ERR_INVALID_TRANSITION` where the bot has not got it. */
export function endBot(parts: Parts, session: Session, id: number, to: 'pending' | 'closed'): Promise<Ticket> {
  return changeTicket(parts, session, id, (ticket, tx) => {
    if (ticket.status !== 'bot') throw new AppError('ERR_INVALID_TRANSITION', { from: ticket.status, to })
    return PLANS[to === 'pending' ? 'release' : 'dismiss'](session, ticket, {}, tx)
  })
}

type Plan = (
  session: Session,
  ticket: LockedTicket,
  request: TransitionRequest,
  tx: Tx,
) => TicketPlan | Promise<TicketPlan>

const PLANS: Record<Exclude<Transition, 'accept'>, Plan> = {
  return: session => ({
    patch: { status: 'pending', userId: null, acceptedAt: null },
    line: createSystemLine(session, 'returned', 'devolveu o atendimento para a espera'),
    log: 'ticket.return',
  }),
  release: session => ({
    patch: { status: 'pending', userId: null },
    line: createSystemLine(session, 'returned', 'passou o atendimento do robô para a espera'),
    log: 'ticket.release',
  }),
  resolve: async (session, ticket, { onlyClose }, tx) => {
    const patch = {
      status: 'closed',
      userId: ticket.userId ?? toPersonId(session.viewer.id),
      pauseTag: null,
      closedAt: NOW,
    } as const
    if (onlyClose)
      return { patch, line: createSystemLine(session, 'closed', 'fechou o atendimento'), log: 'ticket.close' }
    const message = { timezone: session.settings.timezone, by: session }
    const resolved = {
      line: createSystemLine(session, 'resolved', 'resolveu o atendimento'),
      log: 'ticket.resolve',
    } as const
    const survey = await loadSurvey(tx, ticket)
    if (!survey) return { patch, ...resolved, also: inTx => sendFarewell(inTx, ticket, message) }
    return {
      patch: { ...patch, status: 'nps', closedAt: null },
      ...resolved,
      also: async inTx => {
        await writeAutomaticMessage(inTx, {
          ...message,
          ...survey,
          ticketId: ticket.id,
          ticketToldLater: true,
          unhurried: true,
        })
      },
    }
  },
  // What the bot or the rating still holds ends without a word to the customer.
  dismiss: session => ({
    patch: { status: 'closed', closedAt: NOW },
    line: createSystemLine(session, 'closed', 'fechou o atendimento'),
    log: 'ticket.dismiss',
  }),
  // The tag is what the list shows as the reason; the message, if any, stays inside as a comment (spec 1 §5 "Pause").
  pause: (session, ticket, request) => {
    const tag = request.pauseTag?.trim() ?? ''
    const comment = request.pauseMessage?.trim() ?? ''
    if (tag === '') throw createFieldError('pauseTag', 'call.pause')
    const until = parsePauseEnd(request.pauseUntil, new Date())
    return {
      patch: {
        status: 'paused',
        pauseTag: tag,
        pauseUntil: until === 'answer' ? null : until,
        pausedBy: until === null ? null : session.viewer.id,
      },
      line: createPauseLine(session, tag, until),
      log: 'ticket.pause',
      also: async tx => {
        if (comment !== '') await writeComment(tx, ticket.id, session, comment)
      },
    }
  },
  // Open again, for whoever takes it (spec 1 §4: "user unset").
  resume: session => ({
    patch: { status: 'open', userId: null, pauseTag: null },
    line: createSystemLine(session, 'resumed', 'retomou o atendimento'),
    log: 'ticket.resume',
  }),
  reopen: async (session, ticket, request, tx) => {
    const userId = resolveServing(session, request)
    // A live ticket in a queue that is gone would wait for nobody.
    if (ticket.queueId !== null) await lockQueueName(tx, ticket.queueId)
    await checkAssignee(tx, userId, ticket.queueId)
    // Who was erased is nobody to talk to.
    if ((await resolveMergedId(tx, ticket.contactId)) === null) throw new AppError('ERR_NO_CONTACT_FOUND')
    return {
      patch: { status: 'open', userId, acceptedAt: NOW, closedAt: null },
      line: createSystemLine(session, 'reopened', 'reabriu o atendimento'),
      log: 'ticket.reopen',
    }
  },
}

/** When a pause ends by itself: an instant that lies ahead, `answer`, or null for never. */
function parsePauseEnd(asked: string | null | undefined, now: Date): string | null {
  if (asked === undefined || asked === null || asked === 'answer') return asked ?? null
  const at = Date.parse(asked)
  // Without an offset it would be a time of the server's zone.
  if (!/T.*(Z|[+-]\d\d:?\d\d)$/.test(asked) || Number.isNaN(at)) throw createFieldError('pauseUntil', 'call.pauseUntil')
  if (at <= now.getTime() || at > now.getTime() + MOST_PAUSED_MS)
    throw createFieldError('pauseUntil', 'call.pauseAhead')
  return new Date(at).toISOString()
}

function createPauseLine(session: Session, tag: string, until: string | null): SystemLine {
  if (until === null) return createSystemLine(session, 'paused', `pausou o atendimento: ${tag}`, { tag })
  if (until === 'answer')
    return createSystemLine(session, 'pausedToAnswer', `pausou até o cliente responder: ${tag}`, { tag })
  const clock = toWallClock(new Date(until), session.settings.timezone)
  const when = `${formatSlashedDay(clock)} ${formatTimeOfDay(clock)}`
  return createSystemLine(session, 'pausedUntil', `pausou até ${when}: ${tag}`, { tag, when })
}

/** The connection's good-bye; nothing where there are no words or they could not be delivered. */
export async function sendFarewell(
  tx: Tx,
  { id: ticketId, whatsappId }: Pick<LockedTicket, 'id' | 'whatsappId'>,
  message: Pick<AutomaticMessage, 'timezone' | 'by' | 'words'>,
): Promise<void> {
  const farewell = { text: connections.farewellMessage }
  const [row] = await tx.select(farewell).from(connections).where(eq(connections.id, whatsappId))
  await writeAutomaticMessage(tx, {
    ...message,
    ticketId,
    text: row?.text ?? '',
    ticketToldLater: true,
    unhurried: true,
  })
}
