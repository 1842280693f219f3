import { findOnlyQueue } from '@balcao/contract/tickets/only-queue'
import { holdLetters } from '@balcao/ui/actions'
import { reportErrors } from '@balcao/ui/ask'
import { isSettingOn } from '@balcao/ui/session'
import { Bot, Check, Hand } from 'lucide-react'
import { awaitComposer } from '../composer/coming.ts'
import { listConnectionQueues, readQueues } from '../desk/lookups.ts'
import { view } from '../desk/view.ts'
import { server, type TicketUpdateBody } from '../server.ts'
import { change } from './change.ts'
import type { Many, TicketAction, TicketContext } from './ticket-action.ts'

const many: Many = {
  async ask(contexts) {
    if (!contexts.some(isListAwaited)) return contexts.some(isQueueAsked) ? 'accept' : null
    const release = holdLetters({ lasts: true, takesFocus: true })
    try {
      const queues = await readQueues()
      return contexts.some(context => isQueueAsked({ ...context, queues })) ? 'accept' : null
    } finally {
      release(0)
    }
  },
  async one(context, { queueId: chosen }) {
    const queues = context.ticket.queueId === null ? await readQueues() : context.queues
    const queueId = findAcceptQueue({ ...context, queues })
    return server.change(context.ticket.id, makeAcceptance(context, queueId === null ? chosen : queueId))
  },
  undo: () => [{ status: 'pending', userId: null }],
}

/** pending or bot → open, mine. A ticket without a queue gets one first, if there are queues (spec 1 §4). */
export const accept: TicketAction = {
  id: 'ticket.accept',
  labelKey: 'action.accept',
  icon: Check,
  shortcut: 'A',
  place: 'main',
  when: context => isWaiting(context) && !isBotFirst(context),
  perform: performAccept,
  many: { ...many },
}

/** The same while the bot would answer first: a ticket without a queue where queues exist (spec 1 §4). */
export const acceptBeforeBot: TicketAction = {
  ...accept,
  id: 'ticket.acceptBeforeBot',
  labelKey: 'action.acceptBeforeBot',
  icon: Bot,
  when: context => isWaiting(context) && isBotFirst(context),
}

/** An open ticket nobody has, after it was resumed: it becomes mine. */
export const take: TicketAction = {
  id: 'ticket.take',
  labelKey: 'action.take',
  icon: Hand,
  shortcut: 'A',
  place: 'bar',
  when: ({ ticket }) => ticket.status === 'open' && ticket.userId === null,
  perform: async context => void (await acceptTicket(context)),
  many: { ask: many.ask, one: many.one },
}

/** A colleague's ticket becomes mine, in the queue where it is, which one has to serve. */
export const takeOver: TicketAction = {
  id: 'ticket.takeOver',
  labelKey: 'action.take',
  icon: Hand,
  place: 'menu',
  when: ({ ticket: { status, userId, queueId }, viewer }) =>
    (status === 'open' || status === 'paused') &&
    userId !== null &&
    userId !== viewer.id &&
    queueId !== null &&
    (viewer.profile === 'admin' || viewer.queueIds.includes(queueId)),
  async perform(context) {
    const composer = awaitComposer(context.ticket.id)
    if (await change(context, { userId: context.viewer.id })) composer.stands()
    else composer.fails('refused')
  },
}

function isWaiting({ ticket }: TicketContext): boolean {
  return ticket.status === 'pending' || ticket.status === 'bot'
}

function isBotFirst(context: TicketContext): boolean {
  return context.ticket.status === 'bot' || (isQueueNeeded(context) && isSettingOn('activeBot'))
}

async function performAccept(pressed: TicketContext) {
  await reportErrors(async () => {
    const context = isListAwaited(pressed) ? { ...pressed, queues: await awaitQueues(pressed.ticket.id) } : pressed
    const queueId = findAcceptQueue(context)
    if (queueId === null) view.dialog = { kind: 'accept', ticketId: context.ticket.id }
    else await acceptTicket(context, queueId)
  })
}

/** What is typed until they are known is for the composer. */
async function awaitQueues(ticketId: number) {
  const composer = awaitComposer(ticketId)
  try {
    const queues = await readQueues()
    composer.fails()
    return queues
  } catch (error) {
    composer.fails('refused')
    throw error
  }
}

/** Whether it must be asked for a queue is not known before the queues are. */
function isListAwaited({ ticket, queues }: TicketContext): boolean {
  return ticket.queueId === null && queues.length === 0
}

/** Who serves no queue at all accepts without one; an administrator may choose any. */
export function isQueueNeeded({ ticket, queues, viewer }: TicketContext): boolean {
  return ticket.queueId === null && listAcceptQueues({ queues, viewer }).length > 0
}

function isQueueAsked(context: TicketContext): boolean {
  return findAcceptQueue(context) === null
}

/** The queues this person may take a ticket into. */
export function listAcceptQueues({ queues, viewer }: Pick<TicketContext, 'queues' | 'viewer'>) {
  return queues.filter(queue => viewer.profile === 'admin' || viewer.queueIds.includes(queue.id))
}

/** The queue to accept it into that has not to be asked for; null where it can be several, undefined where it needs none. */
export function findAcceptQueue(context: TicketContext): number | null | undefined {
  if (!isQueueNeeded(context)) return undefined
  const { ticket, viewer, queues } = context
  return findOnlyQueue(
    viewer,
    listConnectionQueues(ticket.whatsappId),
    queues.map(({ id }) => id),
  )
}

export function makeAcceptance({ viewer }: TicketContext, queueId: number | null | undefined): TicketUpdateBody {
  return { status: 'open', userId: viewer.id, ...(queueId ? { queueId } : {}) }
}

export async function acceptTicket(context: TicketContext, queueId?: number): Promise<boolean> {
  const ticket = await change(context, makeAcceptance(context, queueId))
  if (ticket) context.open(ticket.id)
  return ticket !== null
}
